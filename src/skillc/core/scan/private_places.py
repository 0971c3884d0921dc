# ruff: noqa: E501 - a row is one line
"""Which addresses are one organisation's own: a table of services, and the hosts of internal networks.

A service's row says which of its addresses are a tenant, a document, a room or a database, and not a public page.
Paper: 5.3, Scanners; 5.6. Not here: finding addresses in a text (core.scan.rules.private_urls), what redaction takes
out at capture (core.scan.places).
"""

import re
from functools import cache
from typing import NamedTuple

from skillc.core.words import names


class Place(NamedTuple):
    """Addresses at `host` or below it are private where the host before the suffix and the path are as told.

    `tenant` asks for a name before the host that stands for somebody; `path` is what the rest must begin with.
    """

    host: str
    path: str = ""
    tenant: bool = False


def _tenants(hosts: str) -> tuple[Place, ...]:
    return tuple(Place(host, tenant=True) for host in hosts.split())


_ID = r"[\w-]{6,}"
PLACES_OF_SERVICES: tuple[Place, ...] = (
    # Tenants: the name before the host is the customer's.
    *_tenants("atlassian.net slack.com enterprise.slack.com sharepoint.com my.salesforce.com lightning.force.com zendesk.com okta.com oktapreview.com onelogin.com freshdesk.com freshservice.com service-now.com pagerduty.com bamboohr.com myworkday.com monday.com quip.com youtrack.cloud myjetbrains.com visualstudio.com ghe.com gitlab-dedicated.com grafana.net splunkcloud.com looker.com retool.com webex.com app.box.com onmicrosoft.com crm.dynamics.com crm4.dynamics.com awsapps.com notion.site personio.de personio.com greenhouse.io hibob.com aha.io uservoice.com teamwork.com wrike.com smartsheet.com egnyte.com docusign.net mattermost.com rocket.chat basecamphq.com"),
    # Databases, queues, stores, functions and machines of one account.
    *_tenants("rds.amazonaws.com cache.amazonaws.com redshift.amazonaws.com redshift-serverless.amazonaws.com es.amazonaws.com aoss.amazonaws.com elb.amazonaws.com docdb.amazonaws.com neptune.amazonaws.com mq.amazonaws.com kafka.amazonaws.com efs.amazonaws.com compute.amazonaws.com compute-1.amazonaws.com execute-api.amazonaws.com on.aws dkr.ecr.amazonaws.com elasticbeanstalk.com"),
    *_tenants("blob.core.windows.net file.core.windows.net queue.core.windows.net table.core.windows.net dfs.core.windows.net database.windows.net database.azure.com documents.azure.com redis.cache.windows.net servicebus.windows.net vault.azure.net azurewebsites.net cloudapp.azure.com cloudapp.net azurecr.io openai.azure.com cognitiveservices.azure.com search.windows.net azmk8s.io azurecontainerapps.io azure-api.net logic.azure.com azuredatabricks.net azure-devices.net azuresynapse.net kusto.windows.net"),
    *_tenants("run.app cloudfunctions.net appspot.com firebaseio.com firebasedatabase.app cloud.databricks.com snowflakecomputing.com mongodb.net neon.tech psdb.cloud cockroachlabs.cloud aivencloud.com upstash.io redislabs.com redis-cloud.com elastic-cloud.com found.io confluent.cloud clickhouse.cloud tidbcloud.com pinecone.io weaviate.cloud qdrant.io zillizcloud.com db.ondigitalocean.com digitaloceanspaces.com supabase.co railway.app rlwy.net oraclecloud.com myhuaweicloud.com rds.aliyuncs.com oss-cn-hangzhou.aliyuncs.com myqcloud.com"),
    # Tunnels and machines that stand for one developer.
    *_tenants("ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt serveo.net lhr.life devtunnels.ms ts.net gitpod.io app.github.dev githubpreview.dev cloudworkstations.dev repl.co replit.dev pipedream.net app.n8n.cloud synology.me duckdns.org no-ip.org ddns.net myfritz.net dyndns.org"),
    # Documents, boards and files.
    Place("docs.google.com", r"/(?:a/[^/]+/)?(?:document|spreadsheets|presentation|drawings|forms|file)/(?:u/\d+/)?d/(?!e/)[\w-]{10,}"),
    Place("drive.google.com", r"/(?:a/[^/]+/)?(?:drive/(?:u/\d+/)?(?:folders|shared-drives)|drive/folders|folders|file/(?:u/\d+/)?d|folderview|open|uc)\b"),
    Place("sheets.google.com", r"/.*d/[\w-]{10,}"),
    Place("sites.google.com", r"/(?:a|view)/[\w.-]+"),
    Place("groups.google.com", r"/a/"),
    Place("calendar.google.com", r"/calendar/(?:u/\d+/)?(?:r/|event|ical/|embed\?|b/)"),
    Place("calendar.app.google", r"/\w"),
    Place("photos.app.goo.gl", r"/\w"),
    Place("mail.google.com", r"/mail/u/"),
    Place("meet.google.com", r"/[a-z]{3}-[a-z]{4}-[a-z]{3}"),
    Place("chat.google.com", r"/(?:room|dm|u/\d+)/"),
    Place("chat.googleapis.com", r"/v1/spaces/\w"),
    Place("script.google.com", r"/(?:macros|home|d)/"),
    Place("lookerstudio.google.com", r"/(?:u/\d+/)?reporting/"),
    Place("datastudio.google.com", r"/(?:u/\d+/)?reporting/"),
    Place("colab.research.google.com", r"/drive/"),
    Place("console.cloud.google.com", r"/.*[?&]project="),
    Place("console.firebase.google.com", r"/(?:u/\d+/)?project/[\w-]"),
    Place("storage.cloud.google.com", r"/[\w.-]+/"),
    Place("dropbox.com", r"/(?:s|sc|scl|sh|t|l|request|home|work|preview|paper|scl/fi)/"),
    Place("paper.dropbox.com", r"/doc"),
    Place("onedrive.live.com", r"/.*[?&](?:id|resid|cid|authkey|redeem)=|/:\w:/"),
    Place("1drv.ms", r"/\w"),
    Place("office.com", r"/.*(?:Doc\.aspx|/Pages/ResponsePage)"),
    Place("outlook.office.com", r"/(?:webhook|calendar|bookings?|owa/calendar)"),
    Place("outlook.office365.com", r"/(?:owa/)?calendar"),
    Place("teams.microsoft.com", r"/(?:l|_#|v2|meet)\b"),
    Place("teams.live.com", r"/(?:meet|l)/"),
    Place("app.powerbi.com", r"/(?:groups|view|reportEmbed|links)"),
    Place("make.powerautomate.com", r"/environments/"),
    Place("planner.cloud.microsoft", r"/"),
    Place("loop.cloud.microsoft", r"/"),
    Place("tasks.office.com", r"/[\w.-]+\.onmicrosoft"),
    Place("box.com", r"/(?:s|file|folder|v|notes)/\w"),
    Place("icloud.com", r"/(?:iclouddrive|photos|notes|pages|numbers|keynote|sharedalbum)\b"),
    Place("wetransfer.com", r"/downloads/"),
    Place("we.tl", r"/"),
    Place("mega.nz", r"/(?:file|folder|#)"),
    Place("notion.so", r"/.*[0-9a-f]{32}|/[\w-]+/[\w-]+-[0-9a-f]{12}"),
    Place("notion.com", r"/.*[0-9a-f]{32}"),
    Place("coda.io", r"/d/"),
    Place("evernote.com", r"/(?:shard|client)/"),
    Place("trello.com", r"/(?:b|c|invite|w)/\w{4,}"),
    Place("linear.app", r"/[\w-]+/(?:issue|project|projects|view|team|document|initiative|settings)\b"),
    Place("app.asana.com", r"/\d"),
    Place("app.clickup.com", r"/(?:t/)?\w{5,}|/\d"),
    Place("sharing.clickup.com", r"/"),
    Place("airtable.com", r"/(?:invite/|embed/)?(?:app|shr|tbl|viw|l\?)\w*"),
    Place("miro.com", r"/app/"),
    Place("app.mural.co", r"/"),
    Place("figma.com", rf"/(?:file|design|board|proto|slides|make|deck|files/(?:team|project|\d+/team)|team_invite)/{_ID}"),
    Place("canva.com", rf"/(?:design|brand|folder)/{_ID}"),
    Place("lucid.app", r"/(?:lucidchart|lucidspark|documents|invitations)/"),
    Place("whimsical.com", r"/[\w-]+-[A-Za-z0-9]{18,}"),
    Place("excalidraw.com", r"/?#(?:json|room)="),
    Place("loom.com", r"/(?:share|embed|spaces|looms)/"),
    Place("3.basecamp.com", r"/\d"),
    Place("app.shortcut.com", r"/[\w-]+/"),
    Place("app.height.app", r"/"),
    Place("pitch.com", r"/v/|/app/"),
    Place("gitbook.com", r"/o/"),
    Place("hackmd.io", r"/(?!@|s/|c/)[\w-]{16,}"),
    Place("etherpad.wikimedia.org", r"/p/"),
    # Rooms, meetings and channels.
    Place("zoom.us", r"/(?:j|my|rec|w|s|meeting|webinar|postattendee|launch)/"),
    Place("whereby.com", r"/[\w-]+"),
    Place("meet.jit.si", r"/\w"),
    Place("meet.goto.com", r"/\d"),
    Place("bluejeans.com", r"/\d"),
    Place("app.slack.com", r"/(?:client|huddle|docs|workflow-settings)/"),
    Place("join.slack.com", r"/t/"),
    Place("discord.com", r"/(?:channels|api/webhooks|oauth2/authorize\?.*client_id=\d)/?"),
    Place("t.me", r"/(?:joinchat/|\+|c/\d)"),
    Place("chat.whatsapp.com", r"/\w"),
    Place("wa.me", r"/\d"),
    Place("signal.group", r"/#"),
    Place("matrix.to", r"/#/[!#@][^:]+:(?!matrix\.org)"),
    Place("calendly.com", r"/(?:d|s)/|/[\w-]+/[\w-]+"),
    Place("cal.com", r"/(?:d|video|booking)/|/[\w.-]+/[\w-]+(?<!docs)$"),
    Place("doodle.com", r"/(?:poll|meeting|group-poll|bp)/"),
    Place("app.gather.town", r"/"),
    Place("linkedin.com", r"/in/[\w-]*-[\w-]+"),
    # Consoles and dashboards.
    Place("console.aws.amazon.com", r"/.*(?:instanceId=|arn:|buckets?/|/log-group/|functions/|clusters/|stackId=|table[=?]|database:id=|[?&](?:prefix|bucket)=)"),
    Place("signin.aws.amazon.com", tenant=True),
    Place("portal.azure.com", r"/.*(?:#@|subscriptions/|/resource/)"),
    Place("dev.azure.com", r"/[\w-]+/\S"),
    Place("dash.cloudflare.com", r"/[0-9a-f]{32}"),
    Place("vercel.com", r"/[\w-]+/[\w-]+/(?:deployments|settings|logs|analytics|[A-Za-z0-9]{20,})"),
    Place("app.netlify.com", r"/(?:sites|teams|projects)/"),
    Place("dashboard.heroku.com", r"/(?:apps|teams)/"),
    Place("dashboard.stripe.com", r"/(?:test/)?(?:acct_|customers/|payments/|subscriptions/|invoices/|webhooks/|connect/)\w*"),
    Place("dashboard.render.com", r"/\w+/\w+-"),
    Place("cloud.digitalocean.com", r"/(?:droplets|databases|projects|apps|kubernetes)/"),
    Place("console.hetzner.cloud", r"/projects/\d"),
    Place("supabase.com", r"/dashboard/(?:project|org)/"),
    Place("app.supabase.com", r"/project/"),
    Place("console.neon.tech", r"/app/projects/"),
    Place("cloud.mongodb.com", r"/v2/"),
    Place("app.snowflake.com", r"/[\w-]+/"),
    Place("app.datadoghq.com", r"/(?!signup|account/login)\w+"),
    Place("app.datadoghq.eu", r"/(?!signup|account/login)\w+"),
    Place("us5.datadoghq.com", r"/\w+"),
    Place("one.newrelic.com", r"/.+"),
    Place("ui.honeycomb.io", r"/[\w-]+/"),
    Place("sentry.io", r"/(?:organizations|share)/[\w-]+|/[\w-]+/[\w-]+/issues"),
    Place("sentry.io", r"/(?:issues|projects|settings|alerts|dashboards?|performance|releases)/", tenant=True),
    Place("rollbar.com", r"/a/|/[\w-]+/[\w-]+/items"),
    Place("app.bugsnag.com", r"/"),
    Place("app.opsgenie.com", r"/"),
    Place("app.launchdarkly.com", r"/[\w-]+/"),
    Place("app.posthog.com", r"/(?:project|insights|dashboard)/"),
    Place("us.posthog.com", r"/(?:project|insights|dashboard)/"),
    Place("mixpanel.com", r"/(?:project|report)/"),
    Place("analytics.google.com", r"/.*[ap]\d{6,}"),
    Place("app.amplitude.com", r"/analytics/"),
    Place("app.segment.com", r"/[\w-]+/"),
    Place("app.hubspot.com", r"/[\w-]+/\d"),
    Place("app.intercom.com", r"/a/"),
    Place("mc.sendgrid.com", r"/"),
    Place("app.circleci.com", r"/pipelines/(?:github|gh|bitbucket|bb|circleci)/"),
    Place("buildkite.com", r"/[\w-]+/[\w-]+/builds"),
    Place("app.terraform.io", r"/app/[\w-]+/"),
    Place("app.pulumi.com", r"/[\w-]+/[\w-]+/"),
    Place("app.harness.io", r"/ng/"),
    Place("codeship.com", r"/projects/\d"),
    Place("wandb.ai", r"/[\w-]+/[\w-]+/(?:runs|sweeps)/"),
    Place("platform.openai.com", r"/.*(?:/threads/|/assistants/asst_|org-\w|proj_\w)"),
    Place("smith.langchain.com", r"/(?:o|public)/[0-9a-f-]{36}"),
    Place("chatgpt.com", r"/(?:share|c|g)/"),
    Place("claude.ai", r"/(?:chat|share|project)/[0-9a-f-]{36}"),
    # What anybody can post to who knows the address.
    Place("hooks.slack.com", r"/(?:services|workflows|triggers)/"),
    Place("hooks.zapier.com", r"/hooks/"),
    Place("hook.make.com", r"/\w"),
    Place("hook.eu1.make.com", r"/\w"),
    Place("hook.eu2.make.com", r"/\w"),
    Place("hook.us1.make.com", r"/\w"),
    Place("hook.integromat.com", r"/\w"),
    Place("maker.ifttt.com", r"/(?:trigger|use)/"),
    Place("webhook.site", r"/#?!?/?[0-9a-f-]{36}"),
    Place("webhook.office.com", tenant=True),
    Place("hc-ping.com", r"/[\w-]{20,}"),
    Place("cronitor.link", r"/"),
    Place("events.pagerduty.com", r"/integration/"),
    Place("api.telegram.org", r"/bot\d"),
)  # fmt: skip


@cache
def _by_host() -> dict[str, tuple[tuple[re.Pattern[str], bool], ...]]:
    rows: dict[str, tuple[tuple[re.Pattern[str], bool], ...]] = {}
    for place in PLACES_OF_SERVICES:
        rows[place.host] = (*rows.get(place.host, ()), (re.compile(place.path), place.tenant))
    return rows


# Names before a service's host that are the service's own, or nobody's.
_OWN = names(
    "www api app apps docs help support status developer developers dev community login files hooks id auth account accounts "
    "blog learn cdn static assets download downloads releases registry go get about info web mail m us eu trial university "
    "marketplace partners events edge careers cloud console portal global connect secure my your example acme contoso "
    "fabrikam northwind company yourcompany mycompany corp tenant subdomain domain org organization instance workspace team "
    "myorg mydomain mytenant name site host account-name storage mystorage myaccount myapp mydb myserver myregistry test "
    "demo sample foo bar xxx abc xyz db database cluster server prod project bucket container app-name service play sns sqs "
    "oauth2 graph management s3 ec2 rds lambda iam sts sdk mcp widget embed assets-cdn metrics meet slack"
)
_STAND_IN = re.compile(
    r"(?:^|[-_.])(?:example|sample|placeholder|xxx+)(?:$|[-_.\d])|^(?:your|my)[-_.]|^(?:your|my)[a-z]+$|[<>{}$*%]"
)
_REGION = re.compile(r"\.[a-z]{2}(?:-[a-z]+)+-\d(?=\.)|\.\d{12}(?=\.dkr)")
_INTERNAL_ENDS = "internal corp lan intra intranet private home.arpa localdomain local.lan priv infra intern office.local ad.local home"
INTERNAL_SUFFIXES = tuple(f".{end}" for end in _INTERNAL_ENDS.split())
# Tools that an organisation runs for itself; under its own domain they are its own.
_OWN_TOOLS = names(
    "jira confluence grafana kibana jenkins github gitlab gitea forgejo gogs gerrit nexus artifactory harbor sonar sonarqube vault consul argocd "
    "argo prometheus alertmanager zabbix nagios icinga splunk rancher portainer airflow jupyterhub jupyter metabase superset redash minio "
    "keycloak intranet vpn backoffice back-office teamcity bamboo youtrack redmine mattermost nextcloud owncloud vaultwarden "
    "proxmox vcenter wiki git stash bugzilla phabricator rundeck awx ldap staging stage stg uat preprod pre-prod internal intern "
    "erp payroll mgmt bastion jump monitoring dashboards admin-panel cmdb netbox "
    "dev-portal backstage runbooks runbook sharepoint adfs sso-internal pgadmin phpmyadmin adminer traefik longhorn loki tempo nas"
)
_PUBLIC_ENDS = re.compile(
    r"\.(?:org|edu|gov|mil|int|wiki)$|\.(?:github|gitlab|gitbook|readthedocs|netlify|vercel|pages)\.\w+$|(?:^|\.)(?:google|microsoft|amazon|amazonaws|apple|oracle|nvidia|ibm|intel|redhat|mozilla|python|ubuntu|debian|docker|github|gitlab|atlassian|jetbrains|jenkins|grafana|elastic|hashicorp|cloudflare|mysql|postgresql|openstack|kernel|videolan|archlinux|gentoo|alpinelinux|stackexchange|fandom|gitee|huggingface|salesforce|adobe|vmware|cisco|qt|zx2c4|sr|suckless|musl-libc|ffmpeg|appveyor|codeberg|sourcehut|bitbucket|sentry|launchpad|chromium|googlesource|android)\.(?:com|net|io|dev|cn|co|ht|ai)$"
)
_NOBODYS = re.compile(
    r"(?:^|\.)(?:example|test|domain|company|mycompany|yourcompany|corp|acme|contoso|fabrikam|target|foo|bar|evil|attacker|victim|organization|org|mydomain|yourdomain|site|website|host|server|client|customer|demo|sample|myapp|app|service|lab|malicious|phishing)\.[a-z]{2,8}$"
    r"|(?:^|\.)(?:example|invalid|test|localhost)$|^(?:your|our|some|my|the)[-_]|^(?:your|my)(?:app|company|domain|org|site|server|host|bucket|account|team|tenant|project|db|database|cluster|registry|instance|workspace|store|storage|vault|resource|function|search|name)?\.|[<>{}$*%]"
)
_EVERYWHERE = re.compile(
    r"^(?:10\.0\.[0-3]\.\d{1,2}|10\.0\.0\.\d{1,3}|10\.1\.1\.1|10\.10\.10\.\d{1,2}|10\.255\.255\.255|127\.\d+\.\d+\.\d+|169\.254\.169\.25[34]|169\.254\.170\.2|172\.16\.0\.\d{1,2}|172\.1[789]\.0\.\d{1,2}|192\.168\.(?:0|1|2|99|100|122)\.\d{1,3}|192\.168\.255\.255|10\.(?:11?|2)\.(?:2|11?)\.\d)$"
)
PRIVATE_ADDRESS = re.compile(
    r"^(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d{1,3}){2}|\[?f[cd][0-9a-f]{2}:[0-9a-f:]+\]?|\[?fe80:[0-9a-f:]+\]?)$"
)
_CODE_NAMES = names("com net io sun java jdk self this cls threading settings window module package")


def private_place(host: str, rest: str, *, has_scheme: bool) -> str | None:
    """Returns what kind of private place an address is, or None for a public or made-up one.

    Args:
        host: the host in lower case, without a port.
        rest: what follows host and port, from its `/`, `?` or `#` on.
    """
    if PRIVATE_ADDRESS.match(host):
        return None if _EVERYWHERE.match(host) else "private address"
    if _NOBODYS.search(host):
        return None
    if host.endswith(INTERNAL_SUFFIXES) or (host.endswith(".local") and has_scheme):
        return "private link" if _is_internal(host, has_scheme) else None
    if "." not in host:
        return "private link" if has_scheme and rest.strip("/") and _is_own_machine(host) else None
    bucket = _BUCKET.match(host)
    if bucket is not None:
        return "private store" if is_own_bucket(bucket["name"]) else None
    if _of_service(host, rest):
        return "private link"
    labels = host.split(".")
    is_own = len(labels) > 2 and (has_scheme or rest) and not _PUBLIC_ENDS.search(host)
    return (
        "private link"
        if is_own and any(label in _OWN_TOOLS or _OWN_MACHINE.match(label) for label in labels[:-2])
        else None
    )


def is_own_bucket(name: str) -> bool:
    """Says whether a store's name tells whose it is and that it is not for everybody: `kiln-prod-backups`."""
    return (
        _TELLING_BUCKET.search(name) is not None and _STAND_IN.search(name) is None and name.split("-")[0] not in _OWN
    )


_BUCKET = re.compile(
    r"^(?P<name>[a-z0-9.-]{3,63})\.s3(?:[.-][a-z0-9-]+)?(?:\.dualstack)?(?:\.[a-z0-9-]+)?\.amazonaws\.com$"
)
_TELLING_BUCKET = re.compile(
    r"(?:^|[-_.])(?:private|internal|prod|production|prd|backups?|corp|confidential|finance|payroll|staging|secrets?|hr|invoices?|customers?|exports?|archive|golden|\d{6,12})(?:$|[-_.])"
)
_OWN_MACHINE = re.compile(
    r"^(?:jira|git|gitlab|jenkins|grafana|wiki|db|sql|nas|srv|vpn|ci|build)[-_]?\d{1,3}$|^[a-z]+-(?:internal|intern|intra|staging|uat|preprod)$"
)


def _is_internal(host: str, has_scheme: bool) -> bool:
    labels = host.split(".")
    stem = labels[:-2] if host.endswith(".home.arpa") else labels[:-1]
    if (
        not stem
        or labels[0] in _CODE_NAMES
        or _STAND_IN.search(host)
        or host.endswith((".docker.internal", ".google.internal", ".cluster.local"))
    ):
        return False
    if all(label in _OWN or label in ("my", "api", "corp", "lab", "local", "internal") for label in stem):
        return False
    return has_scheme or len(stem) > 1 or any(c.isdigit() or c == "-" for c in stem[0])


def _is_own_machine(host: str) -> bool:
    return host in _OWN_TOOLS or host == "go" or re.match(r"^[a-z]{2,}[-\d][a-z\d-]*\d{2,}$", host) is not None


def _of_service(host: str, rest: str) -> bool:
    plain = _REGION.sub("", host)
    labels = plain.split(".")
    for cut in range(len(labels) - 1):
        for path, tenant in _by_host().get(".".join(labels[cut:]), ()):
            before = labels[:cut]
            if tenant and (
                not before or before[-1] in _OWN or _STAND_IN.search(before[-1]) or _STAND_IN.search(before[0])
            ):
                continue
            if path.match(rest):
                return True
    return False
