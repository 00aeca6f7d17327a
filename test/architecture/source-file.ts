/** A file of the repository. */
export interface SourceFile {
  /** Relative to the root of the repository, with forward slashes. */
  path: string
  text: string
  /** The text with comments replaced by spaces, so that lines and columns are unchanged. */
  code: string
  codeWithoutStrings: string
  imports: Import[]
}

export interface Import {
  specifier: string
  line: number
  /** `import type ... from`. */
  typeOnly: boolean
  /** The imported file of the repository; undefined for a package. */
  target: string | undefined
}

export function isTest(path: string): boolean {
  return /\.(test|spec)\.[jt]sx?$/.test(path) || path.startsWith('test/')
}

/** `server/policies/rules/speed.ts` is in folder `server`. A file directly in it is a room itself. */
export function getTopFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

/** The second part of a path. The test of a file that is a room itself belongs to that room. */
export function getRoom(path: string): string {
  const [, second = ''] = path.split('/')
  return second.replace(/(\.test)?\.\w+$/, '')
}
