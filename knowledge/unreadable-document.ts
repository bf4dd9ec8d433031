/**
 * A document whose text cannot be had. Its message becomes the knowledge base's `reason`: a message for the person who sent
 * it, saying what to do about it.
 */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}
