import type { KeyboardEvent, ReactNode } from 'react'
import type { ComboboxItem, ComboboxLikeProps } from '@mantine/core'
import styles from './dropdown.module.css'
import { formatInteger } from './format.ts'

/** An option of a dropdown. */
export interface DropdownOption<Value extends string = string> {
  value: Value
  text: string
  description?: string
  icon?: ReactNode
  /** Number of results with this option, shown at the end of the line. */
  count?: number | undefined
}

/** Handles Enter: it opens a closed list, and selects an option of an open one, but never submits the form. */
export function handleEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
  event.preventDefault()
  if (event.target.getAttribute('aria-expanded') !== 'true') event.target.click()
}

const normalizeText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Finds the options that match a search in text or description, ignoring case and accents. */
export function findOptions<Value extends string>(
  options: readonly DropdownOption<Value>[],
  search: string,
): DropdownOption<Value>[] {
  const query = normalizeText(search.trim())
  return options.filter(
    ({ text, description = '' }) =>
      normalizeText(text).includes(query) || normalizeText(description).includes(query),
  )
}

/** More options would make the list slow; users narrow it by typing. */
const maxShownOptions = 200

/** Builds props for Mantine's Select and MultiSelect, and the options by value. */
export function buildOptionList<Value extends string>(options: readonly DropdownOption<Value>[]) {
  const byValue = new Map<string, DropdownOption<Value>>(options.map((option) => [option.value, option]))
  const data: ComboboxItem<Value>[] = options.map(({ value, text }) => ({ value, label: text }))
  const filter: ComboboxLikeProps['filter'] = ({ search }) =>
    findOptions(options, search)
      .slice(0, maxShownOptions)
      .map(({ value, text }) => ({ value, label: text }))
  const renderOption = (item: { option: { value: string; label: string }; checked?: boolean }) => (
    <OptionRow
      option={byValue.get(item.option.value) ?? { value: item.option.value, text: item.option.label }}
      isSelected={item.checked ?? false}
    />
  )
  return { byValue, data, filter, renderOption }
}

function OptionRow({ option, isSelected }: { option: DropdownOption; isSelected: boolean }) {
  const { text, description, icon, count } = option
  return (
    <span className={styles['option']} data-chosen={isSelected || undefined}>
      {icon === undefined ? null : (
        <span className={styles['icon']} aria-hidden="true">
          {icon}
        </span>
      )}
      <span className={styles['words']}>
        <span>{text}</span>
        {description === undefined ? null : <span className={styles['description']}>{description}</span>}
      </span>
      {count === undefined ? null : <span className={styles['count']}>{formatInteger(count)}</span>}
    </span>
  )
}
