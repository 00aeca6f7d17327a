import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

interface Props {
  label: string
  value: string
  onSearch: (text: string) => void
}

const searchDelayMs = 300

/** A search field that reports its text when typing pauses. */
export function SearchField({ label, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const search = useDebouncedCallback(onSearch, searchDelayMs)
  return (
    <TextInput
      type="search"
      label={label}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      maxLength={200}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        search(event.currentTarget.value.trim())
      }}
    />
  )
}
