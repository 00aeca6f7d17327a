import { schema } from './001-schema.ts'

/** In order. Each statement is repeatable, so that an interrupted migration can continue. */
export const clickhouseMigrations: readonly { name: string; statements: readonly string[] }[] = [schema]
