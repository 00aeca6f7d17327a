import { Button } from '@mantine/core'
import { IconFileUnknown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { pagePath } from './pages.ts'

/** Shown for a policy that does not exist; links to the policies library of the region. */
export function UnknownPolicy({ regionId, children }: { regionId: string; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      order={1}
      title={t('shell:unknownPolicy.title')}
      icon={<IconFileUnknown />}
      action={
        <Button component={Link} to={pagePath(regionId, 'policies')}>
          {t('shell:unknownPolicy.library')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
