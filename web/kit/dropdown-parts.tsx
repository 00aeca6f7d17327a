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

/**
 * Enter opens a searchable list, and in an open one selects an option; it never submits the surrounding form.
 */
export function handleEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
  event.preventDefault()
  if (event.target.getAttribute('aria-expanded') !== 'true') event.target.click()
}

const normalizeText = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Options that match a search in text or description, ignoring case and accents. */
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

const maxShownOptions = 200

/** Props for Mantine's Select and MultiSelect. */
export function buildOptionList<Value extends string>(options: readonly DropdownOption<Value>[]) {
  const byValue = new Map<string, DropdownOption<Value>>(options.map((option) => [option.value, option]))
  const data: ComboboxItem<Value>[] = options.map(({ value, text }) => ({ value, label: text }))
  const filter: ComboboxLikeProps['filter'] = ({ search }) =>
    findOptions(options, search)
      .slice(0, maxShownOptions)
      .map(({ value, text }) => ({ value, label: text }))
  const renderOption = ({
    option,
    checked,
  }: {
    option: { value: string; label: string }
    checked?: boolean
  }) => (
    <OptionRow
      option={byValue.get(option.value) ?? { value: option.value, text: option.label }}
      isSelected={checked ?? false}
    />
  )
  return { byValue, data, filter, renderOption }
}

function OptionRow({
  option: { text, description, icon, count },
  isSelected,
}: {
  option: DropdownOption
  isSelected: boolean
}) {
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
