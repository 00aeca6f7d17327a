import { Popover, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconChevronDown, IconMapPin, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RegionOptions } from './region-options.tsx'
import { useChosenRegion } from './region.tsx'
import styles from './top-bar.module.css'

export function RegionSelector() {
  const { t } = useTranslation()
  const { answer } = useChosenRegion()
  const [opened, setOpened] = useState(false)
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text, 300)
  const close = () => {
    setOpened(false)
    setText('')
  }
  const name = answer.data?.text

  return (
    <Popover opened={opened} onDismiss={close} position="bottom-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={`${styles['button']} ${styles['region']}`} aria-label={name ? t('shell:region.current', { name }) : t('shell:region.choose')} onClick={() => setOpened(!opened)}>
          <IconMapPin size={18} className={styles['quiet'] ?? ''} aria-hidden="true" />
          <span className={styles['text']}>{name ?? t('shell:region.noneChosen')}</span>
          <IconChevronDown size={16} className={styles['quiet'] ?? ''} aria-hidden="true" />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <TextInput
          data-autofocus aria-label={t('shell:region.search')} placeholder={t('shell:region.search')} leftSection={<IconSearch size={16} />}
          value={text} onChange={(event) => setText(event.currentTarget.value)} mb="xs"
        />
        <RegionOptions text={searched} onChosen={close} />
      </Popover.Dropdown>
    </Popover>
  )
}
