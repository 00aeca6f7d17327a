import { ActionIcon, Popover, UnstyledButton } from '@mantine/core'
import { IconDots, type Icon } from '@tabler/icons-react'
import { useState } from 'react'
import styles from './feeds.module.css'

export interface Act {
  key: string
  label: string
  icon: Icon
  isDanger?: boolean
  onAct: () => void
}

/** What else can be done with something, behind a button. */
export function ActsMenu({ label, acts }: { label: string; acts: readonly Act[] }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" width={240} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionIcon variant="subtle" aria-label={label} title={label} onClick={() => setIsOpen(!isOpen)}><IconDots size={18} /></ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={4} aria-label={label} aria-labelledby={undefined}>
        {acts.map(({ key, label: text, icon: Icon, isDanger, onAct }) => (
          <UnstyledButton
            key={key} className={styles['act'] ?? ''} data-danger={isDanger || undefined}
            onClick={() => {
              setIsOpen(false)
              onAct()
            }}
          >
            <Icon size={16} aria-hidden="true" />{text}
          </UnstyledButton>
        ))}
      </Popover.Dropdown>
    </Popover>
  )
}
