import { Skeleton, Stack } from '@mantine/core'
import { ReadingPage } from '#web/kit/reading-page.tsx'

/** Placeholder of a screen while its code loads. */
export function ScreenSkeleton() {
  return (
    <ReadingPage>
      <Stack>
        <Skeleton height={28} width={220} />
        <Skeleton height={320} />
      </Stack>
    </ReadingPage>
  )
}
