import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import styles from './all-or-some.module.css'

interface Option<T extends string> {
  value: T
  label: string
}

interface Props<T extends string> {
  label: string
  description?: string
  /** Labels of the two choices; a null `all` hides that choice. */
  all: string | null
  some: string
  /** Warning below an empty list. */
  none: string
  options: readonly Option<T>[]
  /** Null means all, including future options. */
  value: readonly T[] | null
  /** Whether the list is empty when the user switches to it; by default it has all options. */
  startsEmpty?: boolean
  error?: string | undefined
  onChange: (value: T[] | null) => void
}

/** A choice between all options and a list. Unlike a list with every option, "all" includes future options. */
export function AllOrSome<T extends string>({
  label,
  description,
  all,
  some,
  none,
  options,
  value,
  startsEmpty = false,
  error,
  onChange,
}: Props<T>) {
  const [lastList, setLastList] = useState<readonly T[]>(
    value ?? (startsEmpty ? [] : options.map((option) => option.value)),
  )
  // Sorts by the order of the options; values that are no longer an option are retained.
  const sortByOptions = (checked: readonly string[]): T[] =>
    [...options.map((option) => option.value), ...(value ?? [])].filter(
      (item, index, items) => checked.includes(item) && items.indexOf(item) === index,
    )
  const selectValues = (values: T[]) => {
    setLastList(values)
    onChange(values)
  }
  return (
    <Stack gap="sm">
      <Radio.Group
        label={label}
        description={description}
        error={error}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [...lastList])}
      >
        <Stack gap="xs" mt="sm">
          {all === null ? null : <Radio value="all" label={all} />}
          <Radio value="some" label={some} />
        </Stack>
      </Radio.Group>
      {value === null ? null : (
        <Checkbox.Group
          aria-label={label}
          value={[...value]}
          onChange={(checked) => selectValues(sortByOptions(checked))}
        >
          <div className={styles['list']}>
            {options.map((option) => (
              <Checkbox key={option.value} value={option.value} label={option.label} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {value?.length === 0 ? (
        <Text size="sm" role="status" c="var(--amber)">
          {none}
        </Text>
      ) : null}
    </Stack>
  )
}
