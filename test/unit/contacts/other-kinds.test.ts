import { expect, test } from 'vitest';
import { parseErrorOf } from './collect-contacts.js';

test.each([
  ['<!DOCTYPE html>\n<html><body><table><tr><td>phone_number</td></tr></table>', /a web page \(HTML\) named \.csv/],
  ['\ufeff  <table><tr><td>phone_number</td></tr></table>', /a web page/],
  ['<?xml version="1.0"?><rows/>', /an XML file/],
  ['%PDF-1.7\n…', /a PDF/],
  ['{\\rtf1\\ansi phone_number}', /RTF/],
  ['[{"phone_number": "+919877012345"}]', /JSON/],
  ['{ "phone_number": "+919877012345" }', /JSON/],
  [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /a picture/],
  [Buffer.from('\x1f\x8b\x08', 'latin1'), /a compressed archive/],
  ['phone_number|first_name\n+919877012345|Asha', /divided by vertical bars \(\|\)/],
  ['phone|first_name\n+919877012345|Asha', /divided by vertical bars \(\|\)/],
])('a file of another kind is called by what it is: %s', async (file, words) => {
  await expect(parseErrorOf(file)).resolves.toMatch(words);
});
