import { Button } from '@mantine/core'
import { IconFileUnknown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { pagePath } from '#web/shell/pages.ts'

/** Shown for a regulation that does not exist; links to the library of the region. */
export function UnknownRegulation({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      order={1}
      title={t('shell:unknownPolicy.title')}
      icon={<IconFileUnknown />}
      action={
        <Button component={Link} to={pagePath(regionId, 'regulationsLibrary')}>
          {t('curb:regulations.edit.back')}
        </Button>
      }
    />
  )
}
