import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ReadingPage } from '#web/kit/reading-page.tsx'

/** A screen that threw. */
export function Broken() {
  const { t } = useTranslation()
  return (
    <ReadingPage>
      <div role="alert">
        <p>{t('shell:broken.title')}</p>
        <Button onClick={() => location.reload()}>{t('shell:broken.reload')}</Button>
      </div>
    </ReadingPage>
  )
}
