import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './shelf.module.css'

interface Props {
  ref: Ref<HTMLButtonElement>
  /** Class of the button in the curb drawer; absent in the shelf. */
  className?: string
  onSwitch: () => void
}

/** Button that switches between the shelf, where it is an icon, and the curb drawer, where it is a line. */
export function CurbSwitch({ ref, className, onSwitch }: Props) {
  const { t } = useTranslation()
  if (className !== undefined)
    return (
      <UnstyledButton ref={ref} className={className} onClick={onSwitch}>
        <IconLayoutSidebarLeftCollapse size={18} aria-hidden="true" />
        {t('shell:curb.fold')}
      </UnstyledButton>
    )
  const name = t('shell:curb.unfold')
  return (
    <Tooltip label={name} position="right">
      <ActionIcon
        ref={ref}
        className={styles['fold'] ?? ''}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={name}
        onClick={onSwitch}
      >
        <IconLayoutSidebarLeftExpand size={20} />
      </ActionIcon>
    </Tooltip>
  )
}
