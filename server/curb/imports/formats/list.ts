import type { CurbFormatKey } from '#contract/curb-imports.ts'
import type { CurbFormat } from '../curb-format.ts'
import { cdsFormat } from './cds-format.ts'
import { curblrFormat } from './curblr-format.ts'
import { signsFormat } from './signs-format.ts'
import { tableFormat } from './table-format.ts'

/** All formats of curb files. */
export const curbFormatsByKey: Readonly<Record<CurbFormatKey, CurbFormat>> = {
  cds: cdsFormat,
  curblr: curblrFormat,
  table: tableFormat,
  signs: signsFormat,
}
