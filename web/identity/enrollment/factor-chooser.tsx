import { UnstyledButton } from '@mantine/core'
import { IconDeviceMobile, IconMessage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { FactorKind } from '#web/data/second-factor.ts'
import { focusWhenShown } from '../focus-when-shown.ts'
import styles from './enrollment.module.css'

export const factorKinds = ['totp', 'phone'] as const satisfies readonly FactorKind[]
const icons = { totp: IconDeviceMobile, phone: IconMessage }

/** Chooses between a text message and an authenticator app. */
export function FactorChooser({ onChoose }: { onChoose: (kind: FactorKind) => void }) {
  const { t } = useTranslation()
  return (
    <div ref={focusWhenShown} tabIndex={-1} className={styles['ways']}>
      {factorKinds.map((kind) => {
        const Icon = icons[kind]
        return (
          <UnstyledButton key={kind} className={styles['way'] ?? ''} onClick={() => onChoose(kind)}>
            <Icon size={24} aria-hidden="true" />
            <strong>{t(`account:kind.${kind}`)}</strong>
            <span className={styles['quiet']}>{t(`account:kindText.${kind}`)}</span>
          </UnstyledButton>
        )
      })}
    </div>
  )
}
