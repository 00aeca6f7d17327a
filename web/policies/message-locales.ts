/** The locale that always has a field. */
export const firstLocale = 'en-US'

/** Further locales to choose from. */
const offeredLocales = [
  'es',
  'fr',
  'pt-BR',
  'zh-Hans',
  'zh-Hant',
  'vi',
  'ko',
  'tl',
  'ar',
  'ru',
  'ht',
  'de',
  'it',
  'ja',
  'pl',
  'uk',
  'hi',
  'am',
  'so',
]

/** Returns the locales of messages: the first one, then others in the order in which they were added. */
export const shownLocales = (messages: Readonly<Record<string, string>>): string[] => [
  firstLocale,
  ...Object.keys(messages).filter((locale) => locale !== firstLocale),
]

/** Returns the offered locales without a message. */
export const freeLocales = (messages: Readonly<Record<string, string>>): string[] =>
  offeredLocales.filter((locale) => !Object.hasOwn(messages, locale))

/** Returns the name of a locale in a language; unknown tags are returned unchanged. */
export function localeName(locale: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(locale) ?? locale
  } catch {
    return locale
  }
}
