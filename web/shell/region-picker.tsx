import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RegionOptions } from './region-options.tsx'

const searchDelayMs = 300

export function RegionPicker({ onSelected }: { onSelected: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [searchText] = useDebouncedValue(text, searchDelayMs)
  return (
    <>
      <TextInput
        data-autofocus
        aria-label={t('shell:region.search')}
        placeholder={t('shell:region.search')}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        mb="xs"
      />
      <RegionOptions text={searchText} onSelected={onSelected} />
    </>
  )
}
