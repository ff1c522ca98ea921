#include "scene/mjcf.h"

#include <string.h>

/* Attributes stand in one text for each element; mjcf_attribute.c tells how to read it. */

static const struct {
    const char *name, *attributes;
} groups[] = {
    {"orient", "quat:4 axisangle:4 xyaxes:6 zaxis:3 euler:3"},
    {"pose", "pos:3 @orient"},
    {"limit", "~solreflimit:1-2 ~solimplimit:1-5"},
    {"friction", "~solreffriction:1-2 ~solimpfriction:1-5"},
    {"soft", "~solref:1-2 ~solimp:1-5"},
    {"actbase", "group:i1 !nsample:i1=0 -interp:zoh|linear|cubic !delay:1=0 ctrlrange:2 -user:*"},
    {"actdrive", "gear:1-6 damping:1-3 armature:1 cranklength:1"},
    {"transmission", "joint:t jointinparent:t tendon:t slidersite:t cranksite:t site:t refsite:t"},
    {"sensor",
     "-name:t -nsample:i1 -interp:zoh|linear|cubic -delay:1 -interval:1-2 -cutoff:1 -noise:1 -user:*"},
    {"framed", "-objtype:t -objname:t -reftype:t -refname:t"},
    {"apart", "-geom1:t -geom2:t -body1:t -body2:t"},
    {"jointattr",
     "type:free|ball|slide|hinge -group:i1 pos:3 axis:3 springdamper:2 limited:false|true|auto "
     "actuatorfrclimited:false|true|auto @limit @friction stiffness:1-3 range:2 actuatorfrcrange:2 "
     "actuatorgravcomp:b ~margin:1 ref:1 springref:1 armature:1 damping:1-3 frictionloss:1 -user:*"},
    {"geomattr", "type:plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf contype:i1 conaffinity:i1 "
                 "condim:i1 group:i1 "
                 "priority:i1 size:1-3 material:t friction:1-3 mass:1 density:1 shellinertia:b ~solmix:1 "
                 "@soft margin:1 gap:1 "
                 "surfacevel:1-6 !adhesion:1=0 fromto:6 @pose hfield:t mesh:t fitscale:1 rgba:4 "
                 "!fluidshape:none|ellipsoid=none -fluidcoef:1-5 -user:*"},
    {"siteattr", "-type:plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf -group:i1 @pose "
                 "-material:t -mesh:t -size:1-3 "
                 "fromto:6 -rgba:4 -user:*"},
    {"cameraattr",
     "-projection:t -fovy:1 -ipd:1 -resolution:i2 -output:t -pos:3 -quat:4 -axisangle:4 -xyaxes:6 -zaxis:3 "
     "-euler:3 -mode:t -focal:2 -focalpixel:2 -principal:2 -principalpixel:2 -sensorsize:2 -user:*"},
    {"lightattr",
     "-directional:b -type:t -castshadow:b -active:b -pos:3 -dir:3 -bulbradius:1 -intensity:1 -range:1 "
     "-attenuation:3 -cutoff:1 -softness:1 -exponent:1 -ambient:3 -diffuse:3 -specular:3 -mode:t"},
    {"materialattr",
     "-texture:t -texrepeat:2 -texuniform:b -emission:1 -specular:1 -shininess:1 -reflectance:1 "
     "-metallic:1 -roughness:1 rgba:4"},
    {"pairattr",
     "condim:i1 friction:1-5 ~solref:1-2 ~solreffriction:1-2 ~solimp:1-5 gap:1 margin:1 !adhesion:1=0"},
    {"equality", "name:t class:t active:b @soft"},
    {"tendonattr",
     "-group:i1 limited:false|true|auto range:2 @limit @friction frictionloss:1 springlength:1-2 "
     "~margin:1 stiffness:1-3 damping:1-3"},
    {"general",
     "@actbase ctrllimited:false|true|auto forcelimited:false|true|auto actlimited:false|true|auto "
     "forcerange:2 actrange:2 @actdrive actdim:i1 !input:t !velrange:2=0 !ffrange:2=0 "
     "dyntype:none|integrator|filter|filterexact|muscle|dcmotor|pid|user "
     "gaintype:fixed|affine|muscle|dcmotor|so3|pid|user biastype:none|affine|muscle|dcmotor|so3|user "
     "dynprm:1-10 gainprm:1-10 biasprm:1-10 actearly:b"},
    {"motor", "@actbase ctrllimited:false|true|auto forcelimited:false|true|auto forcerange:2 @actdrive"},
    {"position",
     "@actbase ctrllimited:false|true|auto forcelimited:false|true|auto inheritrange:1 forcerange:2 "
     "@actdrive kp:1 kv:1 dampratio:1 timeconst:1"},
    {"velocity",
     "@actbase ctrllimited:false|true|auto forcelimited:false|true|auto forcerange:2 @actdrive kv:1"},
    {"intvelocity",
     "@actbase ctrllimited:false|true|auto forcelimited:false|true|auto actlimited:false|true|auto "
     "forcerange:2 actrange:2 inheritrange:1 @actdrive kp:1 kv:1 dampratio:1"},
    {"orientation", "@actbase forcelimited:false|true|auto forcerange:2 kp:1 kv:1 dampratio:1 input:t"},
    {"pid", "@actbase ctrllimited:false|true|auto forcelimited:false|true|auto posrange:2 velrange:2 "
            "ffrange:2 forcerange:2 "
            "inheritrange:1 @actdrive kp:1 kv:1 dampratio:1 ki:1 imax:1 slewmax:1 input:t"},
    {"damper", "@actbase forcelimited:false|true|auto forcerange:2 @actdrive kv:1"},
    {"cylinder",
     "@actbase ctrllimited:false|true|auto forcelimited:false|true|auto forcerange:2 @actdrive timeconst:1 "
     "area:1 diameter:1 bias:3"},
    {"muscle",
     "@actbase ctrllimited:false|true|auto forcelimited:false|true|auto forcerange:2 @actdrive timeconst:2 "
     "range:2 force:1 scale:1 lmin:1 lmax:1 vmax:1 fpmax:1 fvmax:1"},
    {"adhesion", "@actbase forcelimited:false|true|auto forcerange:2 gain:1"},
    {"dcmotor",
     "@actbase ctrllimited:false|true|auto @actdrive motorconst:1-2 resistance:1 nominal:1-3 saturation:1-3 "
     "inductance:1-2 cogging:1-3 controller:1-6 thermal:1-6 lugre:1-5 input:t"},
    {"flexcontact",
     "contype:i1 conaffinity:i1 condim:i1 priority:i1 friction:1-3 solmix:1 @soft margin:1 gap:1 internal:b "
     "selfcollide:t activelayers:i1 passive:b"},
    {"skin", "-name:t -file:t -material:t -rgba:4 -inflate:1 -vertex:* -texcoord:* -face:i* -group:i1"},
};

#define READ ABUTI_MJCF_READ
#define SKIPPED ABUTI_MJCF_SKIPPED
#define REFUSED ABUTI_MJCF_REFUSED

static const abuti_mjcf_element elements[] = {
    {"mujoco", "", "mujoco", "model:t", READ},
    {"include", "any", NULL, "file:t", READ},

    {"compiler", "mujoco", "compiler",
     "autolimits:b boundmass:1 boundinertia:1 settotalmass:1 balanceinertia:b strippath:b "
     "!coordinate:local|global=local "
     "angle:radian|degree fitaabb:b eulerseq:t meshdir:t -texturedir:t -discardvisual:b -convexhull:b "
     "-usethread:b "
     "-fusestatic:b inertiafromgeom:false|true|auto inertiagrouprange:i2 -exactmeshinertia:b -saveinertial:b "
     "assetdir:t "
     "-alignfree:b -conflict:warning|merge|error",
     READ},
    {"lengthrange", "compiler", NULL,
     "-mode:t -useexisting:b -uselimit:b -accel:1 -maxforce:1 -timeconst:1 -timestep:1 -inttotal:1 "
     "-interval:1 -tolrange:1",
     SKIPPED},
    {"option", "mujoco", "option",
     "timestep:1 -apirate:1 ~impratio:1 ~tolerance:1 ~ls_tolerance:1 ~noslip_tolerance:1 ~ccd_tolerance:1 "
     "~mpr_tolerance:1 -sleep_tolerance:1 gravity:3 wind:3 -magnetic:3 density:1 viscosity:1 o_margin:1 "
     "~o_solref:1-2 "
     "~o_solimp:1-5 o_friction:1-5 ~integrator:Euler|RK4|implicit|implicitfast ~cone:pyramidal|elliptic "
     "~jacobian:dense|sparse|auto ~solver:PGS|CG|Newton ~iterations:i1 ~ls_iterations:i1 "
     "~noslip_iterations:i1 "
     "~ccd_iterations:i1 ~mpr_iterations:i1 ~sdf_iterations:i1 ~sdf_initpoints:i1 actuatorgroupdisable:i*",
     READ},
    {"flag", "option", NULL,
     "constraint:disable|enable equality:disable|enable frictionloss:disable|enable limit:disable|enable "
     "contact:disable|enable passive:disable|enable spring:disable|enable damper:disable|enable "
     "gravity:disable|enable "
     "clampctrl:disable|enable -warmstart:disable|enable filterparent:disable|enable "
     "actuation:disable|enable "
     "~refsafe:disable|enable -sensor:disable|enable -midphase:disable|enable ~eulerdamp:disable|enable "
     "-autoreset:disable|enable -nativeccd:disable|enable -island:disable|enable -multiccd:disable|enable "
     "override:disable|enable -energy:disable|enable -fwdinv:disable|enable -invdiscrete:disable|enable "
     "-sleep:disable|enable ~diagexact:disable|enable ~ipc:disable|enable",
     READ},
    {"size", "mujoco", NULL,
     "-memory:t -njmax:i1 -nconmax:i1 -nstack:i1 -nuserdata:i1 nkey:i1 -nuser_body:i1 -nuser_jnt:i1 "
     "-nuser_geom:i1 "
     "-nuser_site:i1 -nuser_cam:i1 -nuser_tendon:i1 -nuser_actuator:i1 -nuser_sensor:i1",
     READ},
    {"statistic", "mujoco", NULL, "-meaninertia:1 -meanmass:1 -meansize:1 -extent:1 -center:3", SKIPPED},

    {"visual", "mujoco", "visual", "", SKIPPED},
    {"global", "visual", NULL,
     "-cameraid:i1 -orthographic:b -fovy:1 -ipd:1 -azimuth:1 -elevation:1 -linewidth:1 -glow:1 -offwidth:i1 "
     "-offheight:i1 "
     "-realtime:1 -ellipsoidinertia:b -bvactive:b",
     SKIPPED},
    {"quality", "visual", NULL, "-shadowsize:i1 -offsamples:i1 -numslices:i1 -numstacks:i1 -numquads:i1",
     SKIPPED},
    {"headlight", "visual", NULL, "-ambient:3 -diffuse:3 -specular:3 -active:i1", SKIPPED},
    {"map", "visual", NULL,
     "-stiffness:1 -stiffnessrot:1 -force:1 -torque:1 -alpha:1 -fogstart:1 -fogend:1 -znear:1 -zfar:1 "
     "-haze:1 -shadowclip:1 "
     "-shadowscale:1 -actuatortendon:1",
     SKIPPED},
    {"scale", "visual", NULL,
     "-forcewidth:1 -contactwidth:1 -contactheight:1 -connect:1 -com:1 -camera:1 -light:1 -selectpoint:1 "
     "-jointlength:1 "
     "-jointwidth:1 -actuatorlength:1 -actuatorwidth:1 -framelength:1 -framewidth:1 -constraint:1 "
     "-slidercrank:1 -frustum:1",
     SKIPPED},
    {"rgba", "visual", NULL,
     "-fog:4 -haze:4 -force:4 -inertia:4 -joint:4 -actuator:4 -actuatornegative:4 -actuatorpositive:4 -com:4 "
     "-camera:4 "
     "-light:4 -selectpoint:4 -connect:4 -contactpoint:4 -contactforce:4 -contactfriction:4 -contacttorque:4 "
     "-contactgap:4 "
     "-rangefinder:4 -constraint:4 -slidercrank:4 -crankbroken:4 -frustum:4 -bv:4 -bvactive:4",
     SKIPPED},

    {"default", "mujoco", "default", "class:t", READ},
    {"default", "default", "default", "class:t", READ},
    {"mesh", "default", NULL, "scale:3 -maxhullvert:i1 inertia:convex|legacy|exact|shell", READ},
    {"material", "default", "material", "@materialattr", READ},
    {"joint", "default", NULL, "@jointattr", READ},
    {"geom", "default", NULL, "@geomattr", READ},
    {"site", "default", NULL, "@siteattr", READ},
    {"camera", "default", NULL, "@cameraattr", SKIPPED},
    {"light", "default", NULL, "@lightattr", SKIPPED},
    {"pair", "default", NULL, "@pairattr", READ},
    {"equality", "default", NULL, "active:b @soft", READ},
    {"tendon", "default", NULL, "@tendonattr -width:1 -material:t -rgba:4 -user:*", READ},
    {"general", "default", NULL, "@general", READ},
    {"motor", "default", NULL, "@motor", READ},
    {"position", "default", NULL, "@position", READ},
    {"velocity", "default", NULL, "@velocity", READ},
    {"intvelocity", "default", NULL, "@intvelocity", READ},
    {"orientation", "default", NULL, "@orientation", REFUSED},
    {"pid", "default", NULL, "@pid", REFUSED},
    {"damper", "default", NULL, "@damper", READ},
    {"cylinder", "default", NULL, "@cylinder", READ},
    {"muscle", "default", NULL, "@muscle", READ},
    {"adhesion", "default", NULL, "@adhesion", READ},
    {"dcmotor", "default", NULL, "@dcmotor", REFUSED},

    {"extension", "mujoco", "extension", "", REFUSED},
    {"plugin", "extension", "extension plugin", "plugin:t", REFUSED},
    {"instance", "extension plugin", "plugin", "name:t", REFUSED},
    {"config", "plugin", NULL, "key:t value:t", REFUSED},

    {"asset", "mujoco", "asset", "", READ},
    {"mesh", "asset", "geom",
     "name:t class:t content_type:t file:t vertex:* -normal:* -texcoord:* face:i* refpos:3 refquat:4 scale:3 "
     "-smoothnormal:b -maxhullvert:i1 inertia:convex|legacy|exact|shell "
     "!builtin:none|sphere|hemisphere|cone|supertorus|supersphere|wedge|plate=none -params:* -material:t",
     READ},
    {"hfield", "asset", NULL, "name:t content_type:t file:t nrow:i1 ncol:i1 size:4 elevation:*", READ},
    {"skin", "asset", "skin", "@skin", SKIPPED},
    {"bone", "skin", NULL, "-body:t -bindpos:3 -bindquat:4 -vertid:i* -vertweight:*", SKIPPED},
    {"texture", "asset", NULL,
     "-name:t -type:2d|cube|skybox -colorspace:auto|linear|sRGB -content_type:t -file:t -gridsize:i2 "
     "-gridlayout:t "
     "-fileright:t -fileleft:t -fileup:t -filedown:t -filefront:t -fileback:t "
     "-builtin:none|gradient|checker|flat -rgb1:3 "
     "-rgb2:3 -mark:none|edge|cross|random -markrgb:3 -random:1 -width:i1 -height:i1 -hflip:b -vflip:b "
     "-nchannel:i1",
     SKIPPED},
    {"material", "asset", "material", "name:t class:t @materialattr", READ},
    {"layer", "material", NULL, "-texture:t -role:t", SKIPPED},
    {"model", "asset", NULL, "name:t file:t content_type:t", READ},

    {"worldbody", "mujoco", "body",
     "-name:t childclass:t -pos:3 -quat:4 -axisangle:4 -xyaxes:6 -zaxis:3 -euler:3 -mocap:b -gravcomp:1 "
     "-sleep:auto|never|allowed|init -simple:false|auto -fuse:t -user:*",
     READ},
    {"body", "body", "body",
     "name:t childclass:t @pose mocap:b gravcomp:1 -sleep:auto|never|allowed|init -simple:false|auto -fuse:t "
     "-user:*",
     READ},
    {"frame", "body", "body", "name:t childclass:t @pose", READ},
    {"replicate", "body", "body", "childclass:t count:i1 offset:3 euler:3 sep:t", READ},
    {"inertial", "body", NULL, "mass:1 diaginertia:3 fullinertia:6 @pose", READ},
    {"joint", "body", NULL, "name:t class:t @jointattr", READ},
    {"freejoint", "body", NULL, "name:t -group:i1 -align:false|true|auto", READ},
    {"geom", "body", "geom", "name:t class:t @geomattr", READ},
    {"plugin", "geom", "plugin", "plugin:t instance:t", REFUSED},
    {"attach", "body", NULL, "model:t body:t frame:t prefix:t", READ},
    {"site", "body", NULL, "name:t class:t @siteattr", READ},
    {"camera", "body", NULL, "-name:t -class:t @cameraattr -target:t", SKIPPED},
    {"light", "body", NULL, "-name:t -class:t @lightattr -target:t -texture:t", SKIPPED},
    {"plugin", "body", "plugin", "plugin:t instance:t", REFUSED},
    {"composite", "body", "composite",
     "prefix:t type:t count:i1-3 offset:3 vertex:* initial:t curve:t size:1-3 quat:4", REFUSED},
    {"joint", "composite", NULL,
     "kind:t group:i1 stiffness:1 damping:1 armature:1 solreffix:1-2 solimpfix:1-5 type:t axis:3 limited:t "
     "range:2 "
     "margin:1 @limit frictionloss:1 @friction",
     REFUSED},
    {"skin", "composite", NULL, "texcoord:b material:t group:i1 rgba:4 inflate:1 subgrid:i1", REFUSED},
    {"geom", "composite", NULL,
     "type:t contype:i1 conaffinity:i1 condim:i1 group:i1 priority:i1 size:1-3 material:t rgba:4 "
     "friction:1-3 mass:1 "
     "density:1 solmix:1 @soft margin:1 gap:1 surfacevel:1-6 adhesion:1",
     REFUSED},
    {"site", "composite", NULL, "group:i1 size:1-3 material:t rgba:4 mesh:t", REFUSED},
    {"plugin", "composite", "plugin", "plugin:t instance:t", REFUSED},
    {"flexcomp", "body", "flexcomp",
     "name:t type:t group:i1 dim:i1 dof:t count:i3 cellcount:i3 spacing:3 radius:1 rigid:b mass:1 "
     "inertiabox:1 scale:3 "
     "file:t point:* element:* texcoord:* material:t rgba:4 flatskin:b @pose origin:3",
     REFUSED},
    {"edge", "flexcomp", NULL, "equality:t @soft stiffness:1 damping:1", REFUSED},
    {"elasticity", "flexcomp", NULL, "young:1 poisson:1 damping:1 thickness:1 elastic2d:t", REFUSED},
    {"contact", "flexcomp", NULL, "@flexcontact", REFUSED},
    {"pin", "flexcomp", NULL, "id:* range:* grid:* gridrange:*", REFUSED},
    {"plugin", "flexcomp", "plugin", "plugin:t instance:t", REFUSED},

    {"deformable", "mujoco", "deformable", "", READ},
    {"flex", "deformable", "flex",
     "name:t group:i1 dim:i1 radius:1 material:t rgba:4 flatskin:b body:t vertex:* element:i* texcoord:* "
     "elemtexcoord:i* "
     "node:t nodecoord:* cellcount:i3 dof:t",
     REFUSED},
    {"contact", "flex", NULL, "@flexcontact", REFUSED},
    {"edge", "flex", NULL, "stiffness:1 damping:1", REFUSED},
    {"elasticity", "flex", NULL, "young:1 poisson:1 damping:1 thickness:1 elastic2d:t", REFUSED},
    {"skin", "deformable", "skin", "@skin", SKIPPED},

    {"contact", "mujoco", "contact", "", READ},
    {"pair", "contact", NULL, "name:t class:t geom1:t geom2:t @pairattr", READ},
    {"exclude", "contact", NULL, "name:t body1:t body2:t", READ},

    {"tendon", "mujoco", "tendon", "", READ},
    {"spatial", "tendon", "spatial",
     "name:t class:t @tendonattr actuatorfrclimited:false|true|auto actuatorfrcrange:2 width:1 material:t "
     "armature:1 rgba:4 "
     "user:*",
     REFUSED},
    {"site", "spatial", NULL, "site:t", REFUSED},
    {"geom", "spatial", NULL, "geom:t sidesite:t", REFUSED},
    {"pulley", "spatial", NULL, "divisor:1", REFUSED},
    {"fixed", "tendon", "fixed",
     "name:t class:t @tendonattr actuatorfrclimited:false|true|auto actuatorfrcrange:2 armature:1 -user:*",
     READ},
    {"joint", "fixed", NULL, "joint:t coef:1", READ},

    {"equality", "mujoco", "equality", "", READ},
    {"connect", "equality", NULL, "@equality body1:t body2:t anchor:3 site1:t site2:t", READ},
    {"weld", "equality", NULL, "@equality body1:t body2:t relpose:7 anchor:3 site1:t site2:t torquescale:1",
     READ},
    {"joint", "equality", NULL, "@equality joint1:t joint2:t polycoef:1-5", READ},
    {"tendon", "equality", NULL, "@equality tendon1:t tendon2:t polycoef:1-5", READ},
    {"flex", "equality", NULL, "@equality flex:t", REFUSED},
    {"flexvert", "equality", NULL, "@equality flex:t", REFUSED},
    {"flexstrain", "equality", NULL, "@equality flex:t cell:3", REFUSED},

    {"actuator", "mujoco", "actuator", "", READ},
    {"general", "actuator", NULL, "name:t class:t @general lengthrange:2 @transmission body:t", READ},
    {"motor", "actuator", NULL, "name:t class:t @motor lengthrange:2 @transmission", READ},
    {"position", "actuator", NULL, "name:t class:t @position lengthrange:2 @transmission", READ},
    {"velocity", "actuator", NULL, "name:t class:t @velocity lengthrange:2 @transmission", READ},
    {"intvelocity", "actuator", NULL, "name:t class:t @intvelocity lengthrange:2 @transmission", READ},
    {"orientation", "actuator", NULL, "name:t class:t @orientation joint:t site:t refsite:t", REFUSED},
    {"pid", "actuator", NULL, "name:t class:t @pid lengthrange:2 @transmission", REFUSED},
    {"damper", "actuator", NULL, "name:t class:t @damper lengthrange:2 @transmission", READ},
    {"cylinder", "actuator", NULL, "name:t class:t @cylinder lengthrange:2 @transmission", READ},
    {"muscle", "actuator", NULL, "name:t class:t @muscle tausmooth:1 lengthrange:2 @transmission", READ},
    {"adhesion", "actuator", NULL, "name:t class:t @adhesion body:t", READ},
    {"dcmotor", "actuator", NULL, "name:t class:t @dcmotor lengthrange:2 @transmission", REFUSED},
    {"plugin", "actuator", "plugin",
     "name:t class:t @general lengthrange:2 joint:t jointinparent:t site:t tendon:t cranksite:t slidersite:t "
     "plugin:t "
     "instance:t",
     REFUSED},

    {"sensor", "mujoco", "sensor", "", SKIPPED},
#define SENSOR(name, attributes)                                                                             \
    {                                                                                                        \
        name, "sensor", NULL, "@sensor " attributes, SKIPPED                                                 \
    }
    SENSOR("touch", "-site:t"),
    SENSOR("accelerometer", "-site:t"),
    SENSOR("velocimeter", "-site:t"),
    SENSOR("gyro", "-site:t"),
    SENSOR("force", "-site:t"),
    SENSOR("torque", "-site:t"),
    SENSOR("magnetometer", "-site:t"),
    SENSOR("camprojection", "-site:t -camera:t"),
    SENSOR("rangefinder", "-site:t -camera:t -data:t"),
    SENSOR("jointpos", "-joint:t"),
    SENSOR("jointvel", "-joint:t"),
    SENSOR("tendonpos", "-tendon:t"),
    SENSOR("tendonvel", "-tendon:t"),
    SENSOR("actuatorpos", "-actuator:t"),
    SENSOR("actuatorvel", "-actuator:t"),
    SENSOR("actuatorfrc", "-actuator:t"),
    SENSOR("jointactuatorfrc", "-joint:t"),
    SENSOR("tendonactuatorfrc", "-tendon:t"),
    SENSOR("ballquat", "-joint:t"),
    SENSOR("ballangvel", "-joint:t"),
    SENSOR("jointlimitpos", "-joint:t"),
    SENSOR("jointlimitvel", "-joint:t"),
    SENSOR("jointlimitfrc", "-joint:t"),
    SENSOR("tendonlimitpos", "-tendon:t"),
    SENSOR("tendonlimitvel", "-tendon:t"),
    SENSOR("tendonlimitfrc", "-tendon:t"),
    SENSOR("framepos", "@framed"),
    SENSOR("framequat", "@framed"),
    SENSOR("framexaxis", "@framed"),
    SENSOR("frameyaxis", "@framed"),
    SENSOR("framezaxis", "@framed"),
    SENSOR("framelinvel", "@framed"),
    SENSOR("frameangvel", "@framed"),
    SENSOR("framelinacc", "-objtype:t -objname:t"),
    SENSOR("frameangacc", "-objtype:t -objname:t"),
    SENSOR("subtreecom", "-body:t"),
    SENSOR("subtreelinvel", "-body:t"),
    SENSOR("subtreeangmom", "-body:t"),
    SENSOR("insidesite", "-site:t -objtype:t -objname:t -enclosed:t"),
    SENSOR("distance", "@apart"),
    SENSOR("normal", "@apart"),
    SENSOR("fromto", "@apart"),
    SENSOR("contact", "@apart -subtree1:t -subtree2:t -site:t -num:i1 -data:t -reduce:t"),
    SENSOR("e_potential", ""),
    SENSOR("e_kinetic", ""),
    SENSOR("clock", ""),
    SENSOR("tactile", "-geom:t -mesh:t"),
    SENSOR("user", "-objtype:t -objname:t -datatype:t -needstage:t -dim:i1"),
    {"plugin", "sensor", "sensor plugin",
     "-name:t -plugin:t -instance:t -cutoff:1 -objtype:t -objname:t -reftype:t -refname:t -user:*", SKIPPED},
    {"config", "sensor plugin", NULL, "-key:t -value:t", SKIPPED},

    {"custom", "mujoco", "custom", "", READ},
    {"numeric", "custom", NULL, "name:t size:i1 data:*", READ},
    {"text", "custom", NULL, "name:t data:t", READ},
    {"tuple", "custom", "tuple", "-name:t", SKIPPED},
    {"element", "tuple", NULL, "-objtype:t -objname:t -prm:1", SKIPPED},

    {"keyframe", "mujoco", "keyframe", "", READ},
    {"key", "keyframe", NULL, "name:t time:1 qpos:* qvel:* act:* mpos:* mquat:* ctrl:*", READ},
};

const abuti_mjcf_element *abuti_mjcf_elements(int *count)
{
    *count = (int)(sizeof elements / sizeof elements[0]);
    return elements;
}

const abuti_mjcf_element *abuti_mjcf_find(const char *inside, const char *name)
{
    int count;
    const abuti_mjcf_element *rows = abuti_mjcf_elements(&count);
    for (int i = 0; i < count; ++i)
        if (strcmp(rows[i].name, name) == 0 && strcmp(rows[i].inside, inside) == 0) return &rows[i];
    return NULL;
}

const char *abuti_mjcf_group(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i)
        if (strlen(groups[i].name) == length && strncmp(groups[i].name, name, length) == 0)
            return groups[i].attributes;
    return "";
}
