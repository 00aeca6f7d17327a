/** English texts beyond those of the first load, fetched as one file. */
export const roomTexts = import.meta.glob<object>(
  ['../*/*.en.json', '!../kit/kit.en.json', '!../identity/identity.en.json', '!../shell/shell.en.json'],
  { eager: true, import: 'default' },
)
