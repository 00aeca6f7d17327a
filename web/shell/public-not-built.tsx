import { Anchor } from '@mantine/core'
import { IconBarrierBlock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Mark } from '#web/kit/mark.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import styles from './public-not-built.module.css'

/** A page for everybody, without sign-in, that has no content yet. */
export function PublicNotBuilt({ page }: { page: 'publicPolicies' | 'publicRoutes' | 'publicRegulations' }) {
  const { t } = useTranslation()
  return (
    <>
      <header className={styles['bar']}>
        <Mark size={28} />
        <Anchor component={Link} to="/login" c="inherit" size="sm">{t('shell:public.signIn')}</Anchor>
      </header>
      <main>
        <ReadingPage>
          <PageHeader title={t(`shell:pages.${page}`)} />
          <EmptyState title={t('shell:notBuilt.title')} icon={<IconBarrierBlock />}>{t(`shell:notBuilt.${page}`)}</EmptyState>
        </ReadingPage>
      </main>
    </>
  )
}
