import { Anchor } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '#web/kit/mark.tsx'
import { publicAddress } from './public-address.ts'
import styles from './public-frame.module.css'

interface Props {
  title?: string
  children: ReactNode
}

/** Frame of a public page: a bar with the logo and a sign-in link, and the page below. */
export function PublicFrame({ title, children }: Props) {
  const { t } = useTranslation()
  const { regionId } = useParams({ strict: false }) as { regionId?: string }
  const name = (
    <>
      <Mark size={28} />
      {title ? <span>{title}</span> : null}
    </>
  )
  return (
    <div className={styles['frame']}>
      <header className={styles['bar']}>
        {regionId ? (
          <Link className={styles['name']} to={publicAddress(regionId)} title={t('shell:pages.publicPages')}>
            {name}
          </Link>
        ) : (
          <span className={styles['name']}>{name}</span>
        )}
        <Anchor component={Link} to="/login" c="inherit" size="sm">
          {t('shell:public.signIn')}
        </Anchor>
      </header>
      <main className={styles['main']}>{children}</main>
    </div>
  )
}
