import type { ReactNode } from 'react'

/** A choice of a dropdown. */
export interface DropdownOption<Value extends string = string> {
  value: Value
  text: string
  description?: string
  icon?: ReactNode
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The options that a search finds by text or description; case and accents make no difference. */
export function findOptions<Value extends string>(
  options: readonly DropdownOption<Value>[],
  search: string,
): DropdownOption<Value>[] {
  const sought = plain(search.trim())
  return options.filter(
    ({ text, description = '' }) => plain(text).includes(sought) || plain(description).includes(sought),
  )
}
