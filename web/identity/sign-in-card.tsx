import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '#web/kit/mark.tsx'
import styles from './login-screen.module.css'

interface Props {
  children: ReactNode
  /** Below the card. */
  foot?: ReactNode
  isWide?: boolean
  /** The text below the name, by default the purpose of the sign-in. */
  tagline?: string
}

/** The page layout of all screens before the app: a card with name and logo. */
export function SignInCard({ children, foot, isWide = false, tagline }: Props) {
  const { t } = useTranslation()
  return (
    <main className={styles['page']}>
      <div className={styles['middle']} data-wide={isWide || undefined}>
        <div className={styles['card']}>
          <div className={styles['brand']}>
            <Mark size={40} />
            <div>
              <Title order={1}>{t('identity:title')}</Title>
              <p className={styles['line']}>{tagline ?? t('identity:line')}</p>
            </div>
          </div>
          {children}
        </div>
        {foot}
      </div>
    </main>
  )
}
