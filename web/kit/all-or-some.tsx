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
  /** The words of the two choices (null: all cannot be chosen), and what it means when none is ticked. */
  all: string | null
  some: string
  none: string
  options: readonly Option<T>[]
  /** Null is all, also those that come later. */
  value: readonly T[] | null
  /** What is ticked when the list is chosen: all of them, so that nothing changes yet, unless said otherwise. */
  startsEmpty?: boolean
  error?: string | undefined
  onChange: (value: T[] | null) => void
}

/** All, or a list of which each is ticked by itself: two states even where every one is ticked. */
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
  const [last, setLast] = useState<readonly T[]>(
    value ?? (startsEmpty ? [] : options.map((option) => option.value)),
  )
  // In the order of the options; what is no option any more is kept.
  const inOrder = (ticked: readonly string[]): T[] =>
    [...options.map((option) => option.value), ...(value ?? [])].filter(
      (each, at, list) => ticked.includes(each) && list.indexOf(each) === at,
    )
  const choose = (ticked: T[]) => {
    setLast(ticked)
    onChange(ticked)
  }
  return (
    <Stack gap="sm">
      <Radio.Group
        label={label}
        description={description}
        error={error}
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? null : [...last])}
      >
        <Stack gap="xs" mt="sm">
          {all === null ? null : <Radio value="all" label={all} />}
          <Radio value="some" label={some} />
        </Stack>
      </Radio.Group>
      {value === null ? null : (
        <Checkbox.Group aria-label={label} value={[...value]} onChange={(ticked) => choose(inOrder(ticked))}>
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
