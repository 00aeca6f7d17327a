import { useNavigate } from '@tanstack/react-router'
import { isOn } from './features.ts'
import { MobileBeta } from './mobile-beta.tsx'
import { addressIn } from './pages.ts'
import { useChosenRegion } from './region.tsx'
import { useScreenChoice } from './screen-choice.ts'
import { useScreenSize } from './screen-size.ts'
import { SmallScreenDialog } from './small-screen-dialog.tsx'
import { usePlace } from './use-place.ts'
import { useStanding } from './use-standing.ts'

/** What screens that are no desktop are told, once a device: the choice is kept. */
export function ScreenSizeNotice() {
  const size = useScreenSize()
  const standing = useStanding()
  const { regionId } = useChosenRegion()
  const { page } = usePlace()
  const navigate = useNavigate()
  const [choice, setChoice] = useScreenChoice()

  if (size === 'desktop' || page === 'mobileLive') return null
  // Until the region is known it is not known either whether it has a live map to offer.
  if (size === 'small' && (!standing || !regionId)) return null
  const isLiveOffered = size === 'small' && standing !== null && isOn(standing, 'mobileLive')
  if (isLiveOffered && choice !== 'full' && choice !== 'live') {
    return (
      <SmallScreenDialog
        onFull={() => setChoice('full')}
        onLive={() => {
          setChoice('live')
          if (regionId) void navigate({ to: addressIn(regionId, 'mobileLive') })
        }}
      />
    )
  }
  return !isLiveOffered && choice === null ? <MobileBeta onContinue={() => setChoice('continue')} /> : null
}
