export interface Texts {
  [key: string]: string | Texts
}

/** `../geography/geography.en.json` -> `geography` */
export const roomOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).split('.')[0] ?? ''

/** Every key of a text file, nested ones joined by dots. */
export const keysOf = (texts: Texts, before = ''): string[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${before}${key}`] : keysOf(value, `${before}${key}.`),
  )
/** English texts beyond those of the first load, fetched as one file. */
export const roomTexts = import.meta.glob<Texts>(
  ['../*/*.en.json', '!../kit/kit.en.json', '!../identity/identity.en.json', '!../shell/shell.en.json'],
  { eager: true, import: 'default' },
)
