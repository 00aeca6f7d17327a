import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder with the template of empty stores. */
    template: string
  }
}

/** Creates a folder with empty, migrated stores, by copying the template of this run (`template.ts`). */
export function createDataDir(): string {
  const directory = fs.mkdtempSync(path.join(tmpdir(), 'publicway-test-'))
  fs.cpSync(inject('template'), directory, { recursive: true })
  return directory
}
