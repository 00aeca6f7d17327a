import { biketown } from './biketown.ts'
import { citiBike } from './citi-bike.ts'
import type { Layout } from './layout.ts'
import { louisville } from './louisville.ts'
import { lyft } from './lyft.ts'

/** The known layouts, the most telling header first. */
export const layouts: readonly Layout[] = [biketown, lyft, citiBike, louisville]
