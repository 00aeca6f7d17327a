import { MultiSelect, Pill } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type DropdownOption, buildOptionList, handleEnter } from './dropdown-parts.tsx'
import styles from './dropdown.module.css'
import { TagText } from './tag-list.tsx'

interface Props<Value extends string> {
  label: string
  options: readonly DropdownOption<Value>[]
  value: readonly Value[]
  onChange: (value: Value[]) => void
  placeholder?: string
  description?: string
  error?: string | null
  required?: boolean
  disabled?: boolean
  /** Called when the list opens. */
  onOpen?: (() => void) | undefined
}

/** A searchable dropdown with any number of selections. */
export function MultiDropdown<Value extends string>({
  label,
  options,
  value,
  onChange,
  placeholder,
  description,
  error,
  required,
  disabled,
  onOpen,
}: Props<Value>) {
  const { t } = useTranslation()
  const { byValue, data, filter, renderOption } = buildOptionList(options)
  return (
    <MultiSelect
      label={label}
      description={description}
      error={error}
      required={required}
      disabled={disabled}
      placeholder={value.length > 0 ? '' : (placeholder ?? t('kit:dropdown.choose'))}
      data={data}
      value={[...value]}
      filter={filter}
      renderOption={renderOption}
      searchable
      clearable
      onKeyDown={handleEnter}
      onDropdownOpen={() => onOpen?.()}
      classNames={{ input: styles['many'] ?? '', inputField: styles['search'] ?? '' }}
      nothingFoundMessage={t('kit:dropdown.nothing')}
      clearButtonProps={{ 'aria-label': t('kit:dropdown.clear', { label }) }}
      onChange={(values) =>
        onChange(
          // Selected values that are no longer options are retained.
          values.flatMap(
            (option) => byValue.get(option)?.value ?? value.find((selected) => selected === option) ?? [],
          ),
        )
      }
      renderPill={({ value: pillValue, onRemove }) => (
        <Pill
          className={styles['pill'] ?? ''}
          withRemoveButton={!disabled}
          disabled={disabled}
          onRemove={onRemove}
        >
          <TagText text={byValue.get(String(pillValue))?.text ?? String(pillValue)} />
        </Pill>
      )}
    />
  )
}
