import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { GuideDialog } from './guide-dialog.tsx'
import { guideForPath } from './guide-ids.ts'

type Props = { opened: boolean; onClose: () => void }

/** Opens the guide of the current screen on top of it. A screen without a guide leads to all guides. */
export function ScreenHelp({ opened, onClose }: Props) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const id = guideForPath(pathname)
  const leave = useEffectEvent(() => {
    onClose()
    void navigate({ to: '/helps' })
  })
  useEffect(() => {
    if (opened && id === null) leave()
  }, [opened, id])
  return <GuideDialog id={id} opened={opened} onClose={onClose} />
}
