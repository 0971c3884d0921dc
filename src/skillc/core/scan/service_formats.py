"""Formats of tokens with a published prefix and a fixed length, by field: rows of one pattern each.

Only formats that a provider documents, or that its own key scanners name, stand here. Prefixes shorter than four
characters need a length or a neighbour that says more. Paper: 5.3, Scanners.
Not here: formats with conditions of their own (core.scan.formats).
"""

_END = r"(?![A-Za-z0-9])"

PLATFORM = (
    (r"nfp_", r"nfp_[A-Za-z0-9]{36}"),  # Netlify
    (r"fm[12][ar]?_[A-Za-z0-9]|FlyV1 ", r"(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=,_-]{60,1000}"),  # Fly.io
    (r"dp\.(?:pt|st|ct|sa|scim|audit)\.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{40,64}"),  # Doppler
    (r"bkua_", r"bkua_[a-f0-9]{40}"),  # Buildkite
    (r"CCIPAT_", r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),  # CircleCI
    (r"HRKU-", r"HRKU-[A-Za-z0-9_-]{36,70}"),  # Heroku
    (r"sntry[us]_", r"sntry[us]_[A-Za-z0-9_+/=-]{40,300}"),  # Sentry
    (r"NR(?:AK|II|IQ|RA)-", r"NR(?:AK|II|IQ|RA)-[A-Za-z0-9_-]{27,40}"),  # New Relic
    (r"dt0[a-z][0-9]{2}\.", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),  # Dynatrace
    (r"pul-[a-f0-9]{8}", r"pul-[a-f0-9]{40}"),  # Pulumi
    (r"\.atlasv1\.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),  # HCP Terraform
    (r"dckr_[po]at_", r"dckr_[po]at_[A-Za-z0-9_-]{27,32}"),  # Docker Hub
    (r"AKCp[A-Za-z0-9]{8}", r"AKCp[A-Za-z0-9]{69}"),  # JFrog
    (r"rubygems_[a-f0-9]", r"rubygems_[a-f0-9]{48}"),  # RubyGems
    (r"CLOJARS_[a-z0-9]", r"CLOJARS_[a-z0-9]{60}"),  # Clojars
    (r"pscale_[a-z]+_", r"pscale_(?:tkn|pw|oauth|service)_[A-Za-z0-9_.=-]{32,64}"),  # PlanetScale
    (r"napi_[a-z0-9]", r"napi_[a-z0-9]{60,70}"),  # Neon
    (r"sb_secret_", r"sb_secret_[A-Za-z0-9_-]{20,64}"),  # Supabase
    (r"tskey-", r"tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,32}-[A-Za-z0-9]{16,64}"),  # Tailscale
    (r"hv[br]\.", r"hv[br]\.[A-Za-z0-9_-]{24,255}"),  # Vault
    (r"sgp_[a-f0-9]", r"sgp_(?:[a-f0-9]{16}_)?[a-f0-9]{40}"),  # Sourcegraph
    (r"sq[uap]_[a-f0-9]{8}", r"sq[uap]_[a-f0-9]{40}"),  # SonarQube
    (r"pnu_[A-Za-z0-9]{8}", r"pnu_[A-Za-z0-9]{36}"),  # Prefect
    (r"sha256~", r"sha256~[A-Za-z0-9_-]{43}"),  # OpenShift
    (r"ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_-]{100,4000}"),  # 1Password
    (r"v1\.0-[a-f0-9]{8}", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),  # Cloudflare origin CA
    (r"LTAI[A-Za-z0-9]{8}", r"LTAI[A-Za-z0-9]{16,26}"),  # Alibaba Cloud
    (r"AKID[A-Za-z0-9]{8}", r"AKID[A-Za-z0-9]{28,34}"),  # Tencent Cloud
    (r"AQVN[A-Za-z0-9_-]{8}", r"AQVN[A-Za-z0-9_-]{34,40}"),  # Yandex Cloud
    (r"ico-[A-Za-z0-9]{16}", r"ico-[A-Za-z0-9]{32}"),  # Infracost
)
SERVICE = (
    (r"figd_", r"figd_[A-Za-z0-9_-]{40,60}"),  # Figma
    (r"tfp_[A-Za-z0-9]", r"tfp_[A-Za-z0-9_.=-]{44,60}"),  # Typeform
    (r"rdme_[a-z0-9]", r"rdme_[a-z0-9]{70}"),  # ReadMe
    (r"pat[A-Za-z0-9]{14}\.[a-f0-9]{4}", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),  # Airtable
    (r"CFPAT-", r"CFPAT-[A-Za-z0-9_-]{43}"),  # Contentful
    (r"xkeysib-", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),  # Brevo
    (r"(?-u:\b)re_[A-Za-z0-9]{8}_[A-Za-z0-9]{12}", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),  # Resend
    (r"apify_api_", r"apify_api_[A-Za-z0-9]{36}"),  # Apify
    (r"[a-f0-9]-us[0-9]", r"[a-f0-9]{32}-us[0-9]{1,2}"),  # Mailchimp
    (r"key-[a-f0-9]{8}", r"key-[a-f0-9]{32}"),  # Mailgun
    (r"SK[a-f0-9]{16}", r"SK[a-f0-9]{32}"),  # Twilio
    (r"fio-u-", r"fio-u-[A-Za-z0-9_=-]{64}"),  # Frame.io
    (r"EAA[A-Za-z0-9]{24}", r"EAA[A-Za-z0-9]{60,300}"),  # Meta
    (r"gsk_[A-Za-z0-9]{8}", r"gsk_[A-Za-z0-9]{52}"),  # Groq
    (r"pplx-", r"pplx-[A-Za-z0-9]{48,56}"),  # Perplexity
    (r"lsv2_", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),  # LangSmith
    (r"[0-9]Q~", r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),  # Microsoft Entra
    (r"1//0[A-Za-z0-9_-]{8}", r"1//0[A-Za-z0-9_-]{40,120}"),  # Google refresh token
    (r"(?-u:\b)00[a-zA-Z][A-Za-z0-9_-]{24}", r"00[a-zA-Z][A-Za-z0-9_-]{39}"),  # Okta
)
PAYMENT = (
    (r"shippo_(?:live|test)_", r"shippo_(?:live|test)_[a-f0-9]{40}"),  # Shippo
    (r"EZ[AT]K[A-Za-z0-9]{8}", r"EZ[AT]K[A-Za-z0-9]{54}"),  # EasyPost
    (r"duffel_(?:live|test)_", r"duffel_(?:live|test)_[A-Za-z0-9_=-]{43}"),  # Duffel
    (r"FLWSECK", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?"),  # Flutterwave
    (r"access_token\$(?:production|sandbox)", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    (r"access-(?:sandbox|development|production)-", r"access-(?:sandbox|development|production)-[0-9a-f-]{36}"),
    (r"(?:live|test)_(?:pub_)?[a-f0-9]{31}", r"(?:live|test)_(?:pub_)?[a-f0-9]{31,35}"),  # Lob
    (r"secret-(?:live|test)-", r"secret-(?:live|test)-[A-Za-z0-9_-]{35,40}=?"),  # Stytch
)


def gate_of(rows: tuple[tuple[str, str], ...]) -> str:
    """Returns the gate of rows: any of their beginnings."""
    return "|".join(gate for gate, _ in rows)


def pattern_of(rows: tuple[tuple[str, str], ...], edge: str) -> str:
    """Returns the pattern of rows, each whole between two edges."""
    return f"{edge}(?:{'|'.join(pattern for _, pattern in rows)}){_END}"
