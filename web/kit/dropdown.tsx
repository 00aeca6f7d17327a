import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type DropdownOption, buildOptionList, handleEnter } from './dropdown-parts.tsx'

interface Props<Value extends string> {
  label: string
  options: readonly DropdownOption<Value>[]
  value: Value | null
  onChange: (value: Value | null) => void
  /** Whether the selection can be cleared. */
  clearable?: boolean
  placeholder?: string
  description?: string
  error?: string | null
  required?: boolean
  disabled?: boolean
}

/** A searchable dropdown with one selection. */
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
      onKeyDown={handleEnter}
      onChange={(selected) => onChange(selected === null ? null : (byValue.get(selected)?.value ?? null))}
    />
  )
}
