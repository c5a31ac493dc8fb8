/** The shape from public/favicon.svg, moved to make room for the number. */
const bubble = 'M0 32V16a16 16 0 1 1 16 16z'
const letter =
  'M4.75 3A1.75 1.75 0 0 1 6.5 4.75v14.5a1.75 1.75 0 0 1-3.5 0V4.75A1.75 1.75 0 0 1 4.75 3zM9.9 3h5.2a5.9 5.9 0 0 1 2.75 11.12l2.9 4.98c.72 1.24-.86 2.6-1.98 1.7L11.6 14.8H9.9A1.4 1.4 0 0 1 8.5 13.4v-9A1.4 1.4 0 0 1 9.9 3z'

const plain = '/favicon.svg'

/** The favicon with a count in its corner: with many tabs the title may be cut off. */
export function drawFavicon(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link) link.href = count > 0 ? `data:image/svg+xml,${encodeURIComponent(picture(count))}` : plain
}

const picture = (count: number): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path d="${bubble}" fill="#00687a"/><path transform="translate(4.4 4.2) scale(.97)" d="${letter}" fill="#fff"/>
<circle cx="22" cy="10" r="10" fill="#fff"/><circle cx="22" cy="10" r="9" fill="#c92a2a"/>
<text x="22" y="15" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${count > 9 ? 11 : 14}" fill="#fff">${count > 9 ? '9+' : count}</text></svg>`
