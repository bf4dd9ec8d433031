import { llm } from '@livekit/agents';
import type { TranscriptLine } from '../../telephony/provider.js';

/** The conversation as a model is told it that was not there. */
export function chatOf(said: readonly TranscriptLine[]): llm.ChatContext {
  const chat = llm.ChatContext.empty();
  for (const { speaker, text } of said) {
    chat.addMessage({ role: speaker === 'agent' ? 'assistant' : 'user', content: text });
  }
  return chat;
}

/** What agent and callee have said in it. */
export const linesOf = (chat: llm.ChatContext): Pick<TranscriptLine, 'speaker' | 'text'>[] =>
  chat.items.flatMap((item) =>
    item.type === 'message' && (item.role === 'assistant' || item.role === 'user')
      ? { speaker: item.role === 'assistant' ? 'agent' : 'callee', text: item.textContent ?? '' }
      : [],
  );
