import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the template's stores. */
    template: string
  }
}

/** A folder with empty, migrated stores: a copy of the run's template (template.ts). */
export function newDataDir(): string {
  const directory = fs.mkdtempSync(path.join(tmpdir(), 'publicway-test-'))
  fs.cpSync(inject('template'), directory, { recursive: true })
  return directory
}
