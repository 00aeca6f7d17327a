import { Popover, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RegionPicker } from './region-picker.tsx'
import { useRegionContext } from './region.tsx'
import styles from './top-bar.module.css'

/** The name of the region, and the list to switch to another one. */
export function RegionSelector() {
  const { t } = useTranslation()
  const { query } = useRegionContext()
  const [isOpen, setIsOpen] = useState(false)
  const name = query.data?.text
  return (
    <Popover
      opened={isOpen}
      onDismiss={() => setIsOpen(false)}
      position="bottom-end"
      width={300}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          className={`${styles['button']} ${styles['region']}`}
          aria-label={name ? t('shell:region.current', { name }) : t('shell:region.choose')}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconMapPin size={18} className={styles['quiet'] ?? ''} aria-hidden="true" />
          <span className={styles['text']}>{name ?? t('shell:region.noneChosen')}</span>
          <IconChevronDown size={16} className={styles['quiet'] ?? ''} aria-hidden="true" />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <RegionPicker onSelected={() => setIsOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
