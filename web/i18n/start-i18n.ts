import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type ServerTexts, setServerTexts } from './server-text.ts'

export interface Texts {
  [key: string]: string | Texts
}

/** Room of a text file: `#web/geography/geography.en.json` -> `geography`. */
export const getRoom = (path: string): string => path.slice(path.lastIndexOf('/') + 1).split('.')[0] ?? ''

/** All keys of a text file; nested ones are joined by dots. */
export const flattenKeys = (texts: Texts, prefix = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${prefix}${key}`] : flattenKeys(value, `${prefix}${key}.`),
  )

/** Texts of the sign-in page are part of the first load; other texts are loaded with the frame or the language. */
const firstLoad = import.meta.glob<Texts>(
  ['#web/kit/kit.en.json', '#web/identity/identity.en.json', '#web/shell/shell.en.json'],
  { eager: true, import: 'default' },
)
const otherLanguages = import.meta.glob<Texts>('../*/*.es.json', { import: 'default' })
const serverTexts = import.meta.glob<ServerTexts>('./server-texts.spanish.json', { import: 'default' })

export const languages = { 'en-US': 'English (US)', es: 'Español' } as const
export type Language = keyof typeof languages

/** Numbers, amounts and dates have US formats in every language; Spanish has a 24-hour clock. */
const locales: Readonly<Record<Language, string>> = { 'en-US': 'en-US', es: 'es-US-u-hc-h23' }

const languageKey = 'publicway.language'
const isLanguage = (value: string | null): value is Language => value !== null && value in languages
/** Returns the language that the user chose in this browser; English by default. */
export const storedLanguage = (): Language => {
  const stored = localStorage.getItem(languageKey)
  return isLanguage(stored) ? stored : 'en-US'
}

/** Texts in every language. */
export type TextsByLanguage = Readonly<Record<'en' | 'es', Texts>>
const declarations: { room: string; texts: TextsByLanguage }[] = []
const addDeclared = ({ room, texts }: (typeof declarations)[number]): void => {
  i18next.addResourceBundle('en-US', room, texts.en, true)
  i18next.addResourceBundle('es', room, texts.es, true)
}

/** Adds texts that are declared in code, such as names of reports, to those of a room. */
export function declareTexts(room: string, texts: TextsByLanguage): void {
  declarations.push({ room, texts })
  if (i18next.isInitialized) addDeclared({ room, texts })
}
export const declaredTexts: readonly { room: string; texts: TextsByLanguage }[] = declarations

/**
 * Starts i18next with one namespace per room: the texts of `web/geography/geography.en.json` are
 * `geography:...`, and `shell.frame.en.json` adds to those of `shell`.
 */
export async function startI18n(): Promise<void> {
  const resources = Object.fromEntries(
    Object.entries(firstLoad).map(([path, texts]) => [getRoom(path), texts]),
  )
  await i18next.use(initReactI18next).init({
    lng: 'en-US',
    fallbackLng: 'en-US',
    resources: { 'en-US': resources },
    defaultNS: 'kit',
    interpolation: { escapeValue: false },
    react: { bindI18nStore: 'added' },
  })
  declarations.forEach(addDeclared)
  document.documentElement.lang = 'en-US'
  if (storedLanguage() !== 'en-US') await changeLanguage(storedLanguage())
}

/** Loads the texts of a language, then shows and stores it. */
export async function changeLanguage(language: Language): Promise<void> {
  if (language !== 'en-US') {
    const loading = Object.entries(otherLanguages).map(async ([path, load]) =>
      i18next.addResourceBundle(language, getRoom(path), await load(), true),
    )
    await Promise.all(loading)
  }
  const [loadServerTexts] = Object.values(serverTexts)
  setServerTexts(language !== 'en-US' && loadServerTexts ? await loadServerTexts() : {})
  localStorage.setItem(languageKey, language)
  await i18next.changeLanguage(locales[language])
  document.documentElement.lang = language
}

/** Loads the texts of all rooms. Call it before any screen other than the sign-in page. */
export async function loadRoomTexts(): Promise<void> {
  const { roomTexts } = await import('./room-texts.ts')
  for (const [path, texts] of Object.entries(roomTexts))
    i18next.addResourceBundle('en-US', getRoom(path), texts, true)
}
