import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#contract/period.ts'
import { PageHeader } from '../page-header.tsx'
import { ReadingPage } from '../reading-page.tsx'
import { ChoiceSamples, EntrySamples, FormatSamples } from './samples.tsx'
import { DateSamples } from './date-samples.tsx'

/** Every widget in its states, for developers and browser tests. */
export function GalleryScreen() {
  const { t } = useTranslation()
  const [today] = useState(() => localDay(new Date(), 'UTC'))
  return (
    <main>
      <ReadingPage>
        <PageHeader title={t('kit:gallery.title')} context={t('kit:gallery.context')} />
        <DateSamples today={today} />
        <EntrySamples />
        <ChoiceSamples />
        <FormatSamples />
      </ReadingPage>
    </main>
  )
}
