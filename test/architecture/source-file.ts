/** One file of the repository, as the rules see it. */
export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  path: string
  text: string
  /** The text with comments blanked, and with strings blanked too; lines and columns stay where they are. */
  code: string
  codeWithoutStrings: string
  imports: Import[]
}

export interface Import {
  specifier: string
  line: number
  /** `import type ... from`. */
  typeOnly: boolean
  /** The repository file it means, or nothing for a package. */
  target: string | undefined
}

export function isTest(path: string): boolean {
  return /\.(test|spec)\.[jt]sx?$/.test(path) || path.startsWith('test/')
}

/** `server/policies/rules/speed.ts` -> folder `server`, room `policies`; a file directly under its top folder is a room of its own. */
export function getTopFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

/** The second part of a path; a test of a file that is a room of its own belongs to it. */
export function getRoom(path: string): string {
  const [, second = ''] = path.split('/')
  return second.replace(/(\.test)?\.\w+$/, '')
}
