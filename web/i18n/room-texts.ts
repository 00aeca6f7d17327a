/** All English texts except those of the first load, bundled into one file. */
export const roomTexts = import.meta.glob<object>(
  ['../*/*.en.json', '!../kit/kit.en.json', '!../identity/identity.en.json', '!../shell/shell.en.json'],
  { eager: true, import: 'default' },
)
