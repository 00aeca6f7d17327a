import type { Texts } from './room-of.ts'

/** English texts of the rooms, fetched as one file. */
export const roomTexts = import.meta.glob<Texts>(['../*/*.en.json', '!../{kit,identity,shell}/*.en.json'], { eager: true, import: 'default' })
