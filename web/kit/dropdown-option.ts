import type { ReactNode } from 'react'

/** A choice of a dropdown. */
export interface DropdownOption<Value extends string = string> {
  value: Value
  text: string
  description?: string
  icon?: ReactNode
}

const normalizeText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The options that a search finds by text or description; case and accents make no difference. */
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
