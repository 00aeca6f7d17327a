import type { ReactNode } from 'react'

/** An option of a dropdown. */
export interface DropdownOption<Value extends string = string> {
  value: Value
  text: string
  description?: string
  icon?: ReactNode
}

const normalizeText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Options that match a search in text or description, ignoring case and accents. */
export function findOptions<Value extends string>(
  options: readonly DropdownOption<Value>[],
  search: string,
): DropdownOption<Value>[] {
  const needle = normalizeText(search.trim())
  return options.filter(
    ({ text, description = '' }) =>
      normalizeText(text).includes(needle) || normalizeText(description).includes(needle),
  )
}
