import { ActionIcon, Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './shelf.module.css'

/** Changes between the shelf of the curb and its side drawer. */
export function CurbSwitch({ isUnfolded, onSwitch }: { isUnfolded: boolean; onSwitch: () => void }) {
  const { t } = useTranslation()
  const name = t(isUnfolded ? 'shell:curb.fold' : 'shell:curb.unfold')
  return (
    <Tooltip label={name} position="right">
      <ActionIcon className={styles['fold'] ?? ''} variant="subtle" color="gray" size="lg" aria-label={name} onClick={onSwitch}>
        {isUnfolded ? <IconLayoutSidebarLeftCollapse size={20} /> : <IconLayoutSidebarLeftExpand size={20} />}
      </ActionIcon>
    </Tooltip>
  )
}
