import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './position-notice.module.css'
import type { Position } from './use-position.ts'

function getMessageKey(position: Position) {
  if (position.kind === 'asking') return 'asking'
  if (position.kind === 'failed') return position.why
  return position.kind === 'on' && position.isLost ? 'lost' : null
}

/** Explains why the position is not available; can be dismissed. Everything else works without a position. */
export function PositionNotice({ position }: { position: Position }) {
  const { t } = useTranslation()
  const [dismissedPosition, setDismissedPosition] = useState<Position | null>(null)
  const messageKey = getMessageKey(position)
  const isShown = messageKey !== null && dismissedPosition !== position
  return (
    <div role="status" className={styles['place']}>
      {isShown ? (
        <div className={styles['notice']}>
          <span>{t(`live:position.${messageKey}`)}</span>
          {messageKey === 'asking' ? null : (
            <CloseButton
              size={44}
              aria-label={t('live:position.close')}
              onClick={() => setDismissedPosition(position)}
            />
          )}
        </div>
      ) : null}
    </div>
  )
}
