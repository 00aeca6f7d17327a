import { Select } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { DropdownOption } from './dropdown-option.ts'
import { buildOptionList } from './dropdown-parts.tsx'

interface Props<Value extends string> {
  label: string
  options: readonly DropdownOption<Value>[]
  value: Value | null
  onChange: (value: Value | null) => void
  /** The choice can be taken back. */
  clearable?: boolean
  placeholder?: string
  description?: string
  error?: string | null
  required?: boolean
  disabled?: boolean
}

/** Enter in an open list chooses, or does nothing: it must not send the form around it, without the choice. */
function preventFormSubmit(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-expanded') === 'true')
    event.preventDefault()
}

/** One choice of a list that can be searched. */
export function Dropdown<Value extends string>({
  label,
  options,
  value,
  onChange,
  clearable = false,
  placeholder,
  description,
  error,
  required,
  disabled,
}: Props<Value>) {
  const { t } = useTranslation()
  const { byValue, data, filter, renderOption } = buildOptionList(options)
  return (
    <Select
      label={label}
      description={description}
      error={error}
      required={required}
      disabled={disabled}
      placeholder={placeholder ?? t('kit:dropdown.choose')}
      data={data}
      value={value}
      filter={filter}
      renderOption={renderOption}
      searchable
      clearable={clearable}
      allowDeselect={false}
      nothingFoundMessage={t('kit:dropdown.nothing')}
      clearButtonProps={{ 'aria-label': t('kit:dropdown.clear', { label }) }}
      leftSection={value === null ? undefined : byValue.get(value)?.icon}
      leftSectionPointerEvents="none"
      onKeyDown={preventFormSubmit}
      onChange={(chosen) => onChange(chosen === null ? null : (byValue.get(chosen)?.value ?? null))}
    />
  )
}
