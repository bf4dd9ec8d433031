/** Letters and signs that terminals draw two columns wide: East Asian scripts, and emoji. */
const wide =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]|^\p{Emoji_Presentation}|\uFE0F/u;
/** Marks that are drawn on the letter before them, and letters that are not drawn. */
const unseen = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const widthOfOne = (grapheme: string): number => (unseen.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1);

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOfOne(segment);
  return width;
}

/** A text as far as it fits, with `…` where it is cut. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOfOne(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}
