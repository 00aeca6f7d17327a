import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './shelf.module.css'

/** Changes between the shelf of the curb, where it is an icon, and its side drawer, where it is one of the lines below. */
export function CurbSwitch({
  ref,
  line,
  onSwitch,
}: {
  ref: Ref<HTMLButtonElement>
  line?: string
  onSwitch: () => void
}) {
  const { t } = useTranslation()
  if (line !== undefined)
    return (
      <UnstyledButton ref={ref} className={line} onClick={onSwitch}>
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
