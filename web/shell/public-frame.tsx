import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '#web/kit/mark.tsx'
import styles from './public-frame.module.css'

interface Props {
  title?: string
  children: ReactNode
}

/** Frame of a public page: a bar with the logo and a sign-in link, and the page below. */
export function PublicFrame({ title, children }: Props) {
  const { t } = useTranslation()
  return (
    <div className={styles['frame']}>
      <header className={styles['bar']}>
        <span className={styles['name']}>
          <Mark size={28} />
          {title ? <span>{title}</span> : null}
        </span>
        <Anchor component={Link} to="/login" c="inherit" size="sm">
          {t('shell:public.signIn')}
        </Anchor>
      </header>
      <main className={styles['main']}>{children}</main>
    </div>
  )
}
