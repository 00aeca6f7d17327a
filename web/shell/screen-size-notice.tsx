import { useNavigate } from '@tanstack/react-router'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { Button, Group, Modal, Text, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { smallScreenQuery } from '#web/kit/breakpoints.ts'
import { isPageEnabled } from './features.ts'
import { pagePath } from './pages.ts'
import { useRegionContext } from './region.tsx'
import { useCurrentPage } from './use-current-page.ts'
import { useAccessContext } from './use-access-context.ts'
import { ContactButton } from './contact-button.tsx'

/** Lets users of small screens choose between the full app and the mobile live map. */
function SmallScreenDialog({
  onFull: onOpenFull,
  onLive: onOpenLive,
}: {
  onFull: () => void
  onLive: () => void
}) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened onClose={onOpenFull} centered size={380}>
      <Modal.Overlay />
      <Modal.Content p="lg">
        <Modal.Title fw={650} fz="lg">
          {t('shell:small.title')}
        </Modal.Title>
        <Text my="md">{t('shell:small.text')}</Text>
        <Stack gap="sm">
          <Button data-autofocus onClick={onOpenLive}>
            {t('shell:small.live')}
          </Button>
          <Button variant="default" onClick={onOpenFull}>
            {t('shell:small.full')}
          </Button>
        </Stack>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Notice for sizes between the small layout and the desktop. */
function MobileBeta({ onContinue }: { onContinue: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened onClose={onContinue} centered size={440}>
      <Modal.Overlay />
      <Modal.Content p="lg">
        <Modal.Title fw={650} fz="lg">
          {t('shell:beta.title')}
        </Modal.Title>
        <Text my="md">{t('shell:beta.text')}</Text>
        <Group justify="flex-end" gap="sm">
          <ContactButton about="size" />
          <Button data-autofocus onClick={onContinue}>
            {t('shell:beta.continue')}
          </Button>
        </Group>
      </Modal.Content>
    </Modal.Root>
  )
}

type ScreenSize = 'small' | 'between' | 'desktop'

/** Matches screens below desktop size: 1000 x 560. */
export const belowDesktopQuery = '(max-width: 999.98px), (max-height: 559.98px)'

function useScreenSize(): ScreenSize {
  const isSmall = useMediaQuery(smallScreenQuery, false, { getInitialValueInEffect: false })
  const isUnderDesktop = useMediaQuery(belowDesktopQuery, false, { getInitialValueInEffect: false })
  if (isSmall) return 'small'
  return isUnderDesktop ? 'between' : 'desktop'
}

/** Notice for screens below desktop size, shown once per device; the choice is stored. */
export function ScreenSizeNotice() {
  const size = useScreenSize()
  const access = useAccessContext()
  const { regionId } = useRegionContext()
  const { page } = useCurrentPage()
  const navigate = useNavigate()
  const [choice, setChoice] = useScreenChoice()
  if (size === 'desktop' || page === 'mobileLive') return null
  // Waits for the region, which may not have a live map.
  if (size === 'small' && (!access || !regionId)) return null
  const isLiveOffered = size === 'small' && access !== null && isPageEnabled(access, 'mobileLive')
  if (isLiveOffered && choice !== 'full' && choice !== 'live') {
    return (
      <SmallScreenDialog
        onFull={() => setChoice('full')}
        onLive={() => {
          setChoice('live')
          if (regionId) void navigate({ to: pagePath(regionId, 'mobileLive') })
        }}
      />
    )
  }
  return !isLiveOffered && choice === null ? <MobileBeta onContinue={() => setChoice('continue')} /> : null
}

/** Choice on a small screen: the full app, the mobile live map, or to continue despite the size. */
export type ScreenChoice = 'full' | 'live' | 'continue'

/** Returns the stored choice of this device. */
export const useScreenChoice = () =>
  useLocalStorage<ScreenChoice | null>({
    key: 'publicway.screen-size',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
