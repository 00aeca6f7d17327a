import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type ServerTexts, setServerTexts } from './server-text.ts'

export interface Texts {
  [key: string]: string | Texts
}

/** `#web/geography/geography.en.json` -> `geography` */
export const roomOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).split('.')[0] ?? ''

/** Every key of a text file, nested ones joined by dots. */
export const keysOf = (texts: Texts, before = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${before}${key}`] : keysOf(value, `${before}${key}.`),
  )

/** What the sign-in page needs is in the first load; all other texts come with the frame, other languages when chosen. */
const first = import.meta.glob<Texts>(
  ['#web/kit/kit.en.json', '#web/identity/identity.en.json', '#web/shell/shell.en.json'],
  { eager: true, import: 'default' },
)
const others = import.meta.glob<Texts>('../*/*.es.json', { import: 'default' })
const serverTexts = import.meta.glob<ServerTexts>('./server-texts.spanish.json', { import: 'default' })

export const languages = { 'en-US': 'English (US)', es: 'Español' } as const
export type Language = keyof typeof languages

/** Numbers, amounts and dates are written as in the United States in every language; in Spanish, hours count to 24. */
const locales: Readonly<Record<Language, string>> = { 'en-US': 'en-US', es: 'es-US-u-hc-h23' }

const storedAs = 'publicway.language'
const isLanguage = (value: string | null): value is Language => value !== null && value in languages
export const storedLanguage = (): Language => {
  const stored = localStorage.getItem(storedAs)
  return isLanguage(stored) ? stored : 'en-US'
}

/** Texts in every language. */
export type TextsByLanguage = Readonly<Record<'en' | 'es', Texts>>
const declared: { room: string; texts: TextsByLanguage }[] = []
const addDeclared = ({ room, texts }: (typeof declared)[number]): void => {
  i18next.addResourceBundle('en-US', room, texts.en, true)
  i18next.addResourceBundle('es', room, texts.es, true)
}

/** Adds texts that stand beside what they name to those of a room; they are loaded with its code. */
export function declareTexts(room: string, texts: TextsByLanguage): void {
  declared.push({ room, texts })
  if (i18next.isInitialized) addDeclared({ room, texts })
}
export const declaredTexts: readonly { room: string; texts: TextsByLanguage }[] = declared

/** One namespace a room: the texts of `web/geography/geography.en.json` are `geography:...`. `shell.frame.en.json` goes on with those of `shell`. */
export async function startI18n(): Promise<void> {
  const resources = Object.fromEntries(Object.entries(first).map(([path, texts]) => [roomOf(path), texts]))
  await i18next.use(initReactI18next).init({
    lng: 'en-US',
    fallbackLng: 'en-US',
    resources: { 'en-US': resources },
    defaultNS: 'kit',
    interpolation: { escapeValue: false },
    react: { bindI18nStore: 'added' },
  })
  declared.forEach(addDeclared)
  document.documentElement.lang = 'en-US'
  if (storedLanguage() !== 'en-US') await speak(storedLanguage())
}

export async function speak(language: Language): Promise<void> {
  if (language !== 'en-US') {
    const loading = Object.entries(others).map(async ([path, load]) =>
      i18next.addResourceBundle(language, roomOf(path), await load(), true),
    )
    await Promise.all(loading)
  }
  const [loadServerTexts] = Object.values(serverTexts)
  setServerTexts(language !== 'en-US' && loadServerTexts ? await loadServerTexts() : {})
  localStorage.setItem(storedAs, language)
  await i18next.changeLanguage(locales[language])
  document.documentElement.lang = language
}

/** Before the first screen of a signed-in user, and before any other that says more than the sign-in page. */
export async function loadRoomTexts(): Promise<void> {
  const { roomTexts } = await import('./room-texts.ts')
  for (const [path, texts] of Object.entries(roomTexts))
    i18next.addResourceBundle('en-US', roomOf(path), texts, true)
}
