/**
 * The languages an agent's config can name. The name is the key of a block in `languages`; the code is what speech
 * models take; the variants are the regional forms that a model entry can ask for in `language`.
 */
export interface Language {
  /** Canonical name: lower case, one word. */
  readonly name: string;
  /** ISO 639 code, as the providers' APIs take it. */
  readonly code: string;
  /** BCP 47 codes of regional forms; empty if providers know one form only. */
  readonly variants: readonly string[];
}

const language = (name: string, code: string, regions = ''): Language => ({
  name,
  code,
  variants: regions === '' ? [] : regions.split(' ').map((region) => `${code}-${region}`),
});

/** Every language, by name. */
export const languages: readonly Language[] = [
  language('afrikaans', 'af', 'ZA'),
  language('albanian', 'sq', 'AL'),
  language('amharic', 'am', 'ET'),
  language('arabic', 'ar', 'AE BH DZ EG IQ JO KW LB MA OM QA SA TN'),
  language('armenian', 'hy', 'AM'),
  language('assamese', 'as', 'IN'),
  language('azerbaijani', 'az', 'AZ'),
  language('basque', 'eu', 'ES'),
  language('belarusian', 'be', 'BY'),
  language('bengali', 'bn', 'BD IN'),
  language('bosnian', 'bs', 'BA'),
  language('bulgarian', 'bg', 'BG'),
  language('burmese', 'my', 'MM'),
  language('cantonese', 'yue', 'HK'),
  language('catalan', 'ca', 'ES'),
  language('chinese', 'zh', 'CN HK SG TW'),
  language('croatian', 'hr', 'HR'),
  language('czech', 'cs', 'CZ'),
  language('danish', 'da', 'DK'),
  language('dutch', 'nl', 'BE NL'),
  language('english', 'en', 'AU CA GB IE IN NG NZ PH SG US ZA'),
  language('estonian', 'et', 'EE'),
  language('filipino', 'fil', 'PH'),
  language('finnish', 'fi', 'FI'),
  language('french', 'fr', 'BE CA CH FR'),
  language('galician', 'gl', 'ES'),
  language('georgian', 'ka', 'GE'),
  language('german', 'de', 'AT CH DE'),
  language('greek', 'el', 'GR'),
  language('gujarati', 'gu', 'IN'),
  language('hausa', 'ha', 'NG'),
  language('hebrew', 'he', 'IL'),
  language('hindi', 'hi', 'IN Latn'),
  language('hungarian', 'hu', 'HU'),
  language('icelandic', 'is', 'IS'),
  language('indonesian', 'id', 'ID'),
  language('italian', 'it', 'CH IT'),
  language('japanese', 'ja', 'JP'),
  language('javanese', 'jv', 'ID'),
  language('kannada', 'kn', 'IN'),
  language('kazakh', 'kk', 'KZ'),
  language('khmer', 'km', 'KH'),
  language('korean', 'ko', 'KR'),
  language('lao', 'lo', 'LA'),
  language('latvian', 'lv', 'LV'),
  language('lithuanian', 'lt', 'LT'),
  language('macedonian', 'mk', 'MK'),
  language('malay', 'ms', 'MY SG'),
  language('malayalam', 'ml', 'IN'),
  language('marathi', 'mr', 'IN'),
  language('mongolian', 'mn', 'MN'),
  language('nepali', 'ne', 'NP'),
  language('norwegian', 'no', 'NO'),
  language('odia', 'or', 'IN'),
  language('pashto', 'ps', 'AF'),
  language('persian', 'fa', 'IR'),
  language('polish', 'pl', 'PL'),
  language('portuguese', 'pt', 'BR PT'),
  language('punjabi', 'pa', 'IN PK'),
  language('romanian', 'ro', 'RO'),
  language('russian', 'ru', 'RU'),
  language('serbian', 'sr', 'RS'),
  language('sindhi', 'sd', 'IN PK'),
  language('sinhala', 'si', 'LK'),
  language('slovak', 'sk', 'SK'),
  language('slovenian', 'sl', 'SI'),
  language('somali', 'so', 'SO'),
  language('spanish', 'es', '419 AR CL CO CR DO EC ES GT MX PA PE PR US UY VE'),
  language('swahili', 'sw', 'KE TZ'),
  language('swedish', 'sv', 'SE'),
  language('tagalog', 'tl', 'PH'),
  language('tamil', 'ta', 'IN LK MY SG'),
  language('telugu', 'te', 'IN'),
  language('thai', 'th', 'TH'),
  language('turkish', 'tr', 'TR'),
  language('ukrainian', 'uk', 'UA'),
  language('urdu', 'ur', 'IN PK'),
  language('uzbek', 'uz', 'UZ'),
  language('vietnamese', 'vi', 'VN'),
  language('welsh', 'cy', 'GB'),
  language('yoruba', 'yo', 'NG'),
  language('zulu', 'zu', 'ZA'),
];

const byName = new Map(languages.map((each) => [each.name, each]));
const byCode = new Map(languages.map((each) => [each.code, each]));

/** The language of this name in any casing (docs/conformance.md, config.default-language), or undefined. */
export const languageNamed = (name: string): Language | undefined => byName.get(name.toLowerCase());

/** The language of this plain code in any casing, or undefined. */
export const languageCoded = (code: string): Language | undefined => byCode.get(code.toLowerCase());

/** This language's code or variant in its usual casing (`EN-in` → `en-IN`), or undefined if it is neither. */
export function variantOf(spoken: Language, code: string): string | undefined {
  const wanted = code.toLowerCase();
  return [spoken.code, ...spoken.variants].find((each) => each.toLowerCase() === wanted);
}
