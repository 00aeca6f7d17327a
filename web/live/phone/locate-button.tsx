import { ActionIcon, Loader } from '@mantine/core'
import { IconCurrentLocation, IconCurrentLocationFilled, IconCurrentLocationOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './locate-button.module.css'
import type { Position } from './use-position.ts'

interface Props {
  position: Position
  onLocate: () => void
}

/** Shows the user's position, which is requested only when this is pressed. */
export function LocateButton({ position: { kind }, onLocate }: Props) {
  const { t } = useTranslation()
  const OffIcon = kind === 'failed' ? IconCurrentLocationOff : IconCurrentLocation
  const Icon = kind === 'on' ? IconCurrentLocationFilled : OffIcon
  return (
    <ActionIcon
      className={styles['locate'] ?? ''}
      variant="default"
      size={48}
      data-located={kind}
      aria-label={t(kind === 'on' ? 'live:locate.again' : 'live:locate.show')}
      onClick={onLocate}
    >
      {kind === 'asking' ? <Loader size={20} aria-hidden="true" /> : <Icon size={24} />}
    </ActionIcon>
  )
}
