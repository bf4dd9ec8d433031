/** For a model that takes over from one that failed, or from an agent whose process died. */
export const goOn =
  'The line was interrupted for a moment. Apologise in a few words and go on where the conversation was.';

/** For a model whose transcription has failed. */
export const askAgain =
  'The line was bad and you did not understand the callee. Say so in a few words and ask them to say it again.';

/** For a model whose callee comes back from a warm transfer. @param why it came to nothing, in words */
export const cameBack = (why: string): string =>
  `You asked a colleague to take this call, who could not take the call: ${why}. Thank the callee for waiting, say so in one or two ` +
  'sentences without numbers, and offer what else you can do.';
