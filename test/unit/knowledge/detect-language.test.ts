import { expect, test } from 'vitest';
import { searchConfiguration } from '../../../domain/knowledge/passage-text.js';
import { detectLanguage } from '../../../knowledge/detect-language.js';

// shows: knowledge.language
test.each([
  ['Orders can be returned within thirty days of delivery, free of charge.', 'en', 'english'],
  ['Bestellungen können innerhalb von dreißig Tagen nach der Lieferung zurückgegeben werden.', 'de', 'german'],
  ['Los pedidos se pueden devolver dentro de los treinta días posteriores a la entrega.', 'es', 'spanish'],
  ['ऑर्डर डिलीवरी के तीस दिनों के भीतर वापस किए जा सकते हैं।', 'hi', 'hindi'],
  ['ご注文は配達後30日以内に返品できます。', 'ja', 'simple'],
])('%s is %s, searched as %s', (text, language, configuration) => {
  expect(detectLanguage(text)).toBe(language);
  expect(searchConfiguration(language)).toBe(configuration);
});

test('what is no language is none, and is searched word for word', () => {
  expect(detectLanguage('4711 0815 42')).toBeNull();
  expect(searchConfiguration(null)).toBe('simple');
});
